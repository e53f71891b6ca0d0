import { count } from '../../model/count.ts'
import { atLeast, measured } from '../../model/measured.ts'
import type { MeteredJob } from './gauge.ts'

/** Why processes may have used more than was counted: what nobody waits for is told to nobody. */
export function whatMayBeMissing({ members, request, accounts, system }: MeteredJob): string[] {
  const reasons: string[] = []
  if (accounts.isEmpty) {
    if (request.endsWithLook === undefined)
      reasons.push('what happened after the last look is not included')
  } else if (!system.processes.adoptsOrphans)
    reasons.push('daemons are included only as far as they were seen')
  if (members.unaccounted > 0)
    reasons.push(
      `of ${count(members.unaccounted, 'process', 'processes')} that ended after the last look or that nobody waited for, only the last values seen are included`,
    )
  if (members.ignoresChildren)
    reasons.push('a process ignored SIGCHLD, so the kernel does not report what its children used')
  if (accounts.strayOrphans > 0 && request.origin === 'launched')
    reasons.push(`${accounts.strayOrphans} orphans may have belonged to this job or to another`)
  return reasons
}

/** Whether nothing can be missing but what processes did between the last look at them and their end. */
export function lacksLastMomentsAlone({ members, request, accounts, system }: MeteredJob): boolean {
  if (members.ignoresChildren || (accounts.strayOrphans > 0 && request.origin === 'launched'))
    return false
  return accounts.isEmpty || system.processes.adoptsOrphans
}

/** How a figure is told that every process is to be in. */
export const countedOver = (job: MeteredJob): typeof measured =>
  whatMayBeMissing(job).length === 0 ? measured : atLeast

/** How a figure is told that the accounts of all processes are to be in, and nothing else tells. */
export function accountedFigure(job: MeteredJob): typeof measured {
  const runsOn = job.members.byPid.size > 0
  const figure = runsOn || cgroupSawMore(job) ? atLeast : countedOver(job)
  return (value, basis) =>
    figure(value, runsOn ? `${basis}, without processes still running` : basis)
}

/** Whether all that was read and written is known. */
export const ioIsWhole = (job: MeteredJob): boolean =>
  job.members.ioIsWhole && job.accounts.strayOrphans === 0 && !cgroupSawMore(job)

/** How far two accounts of the same CPU seconds may be apart. */
export const accountTolerance = (seconds: number): number => Math.max(0.02, seconds * 0.02)

/** Whether processes ran in its cgroup that nobody waited for; false where nothing can tell. */
function cgroupSawMore({ cgroup, accounts, members, request }: MeteredJob): boolean {
  // What runs on is in no account, and looked at instead.
  if (members.byPid.size > 0) return false
  const seen = cgroup.usage.usageSeconds - (request.cgroup?.launcherCpuSeconds ?? 0)
  return seen - accounts.userSeconds - accounts.systemSeconds > accountTolerance(seen)
}
