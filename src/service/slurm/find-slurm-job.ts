import type { CgroupDirectories } from '../../sensors/cgroup/cgroup-sensor.ts'
import { readHierarchyOf } from '../../sensors/cgroup/hierarchy.ts'
import { readStat } from '../../sensors/procfs/stat.ts'
import { readUser } from '../../sensors/procfs/status.ts'
import type { System } from '../../system/system.ts'

/** What a process of a Slurm job has in its environment. */
export const slurmMark = (job: string): string => `SLURM_JOB_ID=${job}`

const controllers = ['memory', 'cpuacct', 'cpu', 'blkio', 'pids']

/**
 * The first process of a Slurm job on this node, as far as we may see; undefined where there is none. Anybody can write the
 * number of a job into an environment: it counts for processes of the job's user alone, and for nobody's where that is not
 * known.
 */
export function firstProcessOf(
  system: System,
  job: string,
  uid: number | undefined,
): number | undefined {
  const { files, processes } = system
  const names = files.list('/proc')
  if (names.kind !== 'ok') return undefined
  let first: { readonly pid: number; readonly startTicks: number } | undefined
  for (const name of names.value) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === processes.self || !isOf(system, pid, job, uid)) continue
    const stat = readStat(files, pid)
    // It looks after the job, and is no part of it.
    if (stat === undefined || isStepDaemon(system, pid)) continue
    if (first === undefined || stat.startTicks < first.startTicks)
      first = { pid, startTicks: stat.startTicks }
  }
  return first?.pid
}

/** For how long a process has run; 0 where that cannot be told. */
export function ageSeconds({ files, host }: System, pid: number): number {
  const stat = readStat(files, pid)
  const uptime = files.readText('/proc/uptime')
  if (stat === undefined || uptime.kind !== 'ok') return 0
  return Math.max(0, Number.parseFloat(uptime.value) - stat.startTicks / host.ticksPerSecond)
}

function isOf({ files }: System, pid: number, job: string, uid: number | undefined): boolean {
  const cgroups = files.readText(`/proc/${pid}/cgroup`)
  if (cgroups.kind === 'ok' && new RegExp(`/job_${job}(/|$)`, 'm').test(cgroups.value)) return true
  if (uid === undefined || readUser(files, pid) !== uid) return false
  const environment = files.readText(`/proc/${pid}/environ`)
  return environment.kind === 'ok' && `\0${environment.value}`.includes(`\0${slurmMark(job)}\0`)
}

function isStepDaemon({ files }: System, pid: number): boolean {
  const name = files.readText(`/proc/${pid}/comm`)
  return name.kind === 'ok' && name.value.startsWith('slurmstepd')
}

/** The cgroup that Slurm has made for a job, with those of all its steps in it; null where it made none that counts. */
export function cgroupOf({ files }: System, pid: number, job: string): CgroupDirectories | null {
  const found = readHierarchyOf(files, pid, controllers)
  if (found.kind !== 'ok') return null
  const ofJob = (directory: string): string | undefined =>
    new RegExp(`^.*/job_${job}(?=/|$)`).exec(directory)?.[0]
  const v1 = new Map<string, string>()
  for (const [controller, { directory }] of found.value.v1) {
    const own = ofJob(directory)
    if (own !== undefined) v1.set(controller, own)
  }
  const v2 = ofJob(found.value.v2?.directory ?? '') ?? null
  return v2 === null && v1.size === 0 ? null : { v2, v1 }
}
