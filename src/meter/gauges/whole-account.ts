import { atLeast, measured } from '../../model/measured.ts'
import type { MeteredJob } from './gauge.ts'

/** Why processes may have used more than was counted: what nobody waits for is told to nobody. */
export function whatMayBeMissing({ members, request, accounts, system }: MeteredJob): string[] {
  const reasons: string[] = []
  if (accounts.isEmpty) reasons.push('what came after the last look is not in it')
  else if (!system.processes.adoptsOrphans)
    reasons.push('daemons are in it only as far as they were seen')
  if (members.unaccounted > 0)
    reasons.push(`of ${members.unaccounted} processes that nobody waited for, what was last seen`)
  if (members.ignoresChildren)
    reasons.push('a process ignored SIGCHLD, so the kernel tells nobody what its children used')
  if (accounts.strayOrphans > 0 && request.origin === 'launched')
    reasons.push(`${accounts.strayOrphans} orphans might have been this job's or another's`)
  return reasons
}

/** How a figure is told that every process is to be in. */
export const countedOver = (job: MeteredJob): typeof measured =>
  whatMayBeMissing(job).length === 0 ? measured : atLeast

/** Whether all that was read and written is known. */
export const ioIsWhole = ({ members, accounts }: MeteredJob): boolean =>
  members.ioIsWhole && accounts.strayOrphans === 0
