import { isZombie, readStat, type ProcessStat } from '../sensors/procfs/stat.ts'
import { outerTasksOf, taskVariable } from '../model/task-mark.ts'
import type { System } from '../system/system.ts'
import { makerOf } from './cgroup-name.ts'

/** By what the processes of a job are found again, though their environment does not name it. */
export interface JobTrace {
  readonly taskId: string
  /** The main process, which leads a process group. */
  readonly pid: number
  readonly startTicks: number
  readonly sessionId: number
  readonly cgroups: readonly string[]
  /** A recovery script or a command of an action, which is no attempt in the ledger. */
  readonly isScript?: true
}

export const traceText = (trace: JobTrace): string => JSON.stringify(trace)

export function parseTrace(text: string): JobTrace | undefined {
  try {
    const trace = JSON.parse(text) as Partial<JobTrace> | null
    const { taskId, pid, startTicks, sessionId, cgroups } = trace ?? {}
    const numbers = [pid, startTicks, sessionId]
    if (typeof taskId !== 'string' || !numbers.every(Number.isInteger)) return undefined
    if (!Array.isArray(cgroups) || !cgroups.every((path) => typeof path === 'string'))
      return undefined
    return trace as JobTrace
  } catch {
    return undefined
  }
}

/** Where cgroups are mounted. */
const cgroupRoot = '/sys/fs/cgroup/'
/** New children may be born while we look. */
const mostRounds = 20

/** As every engine names the cgroup of a container. */
const containerIds = /[0-9a-f]{64}/g

const mark = new RegExp(`(?:^|\\0)${taskVariable}=([0-9a-f]+)(?:\\0|$)`)

/**
 * Kills what is left of attempts whose runner was killed: what carries the mark of one of these tasks in its environment,
 * what is in the process group that the job began with, and what is in its cgroup. Without that, such a job would be run
 * again beside itself. Containers are ended by their label: an image that was made of one hands its environment on to
 * others' containers. Answers the processes; others' are not ours to see.
 */
export function killLeftovers(
  system: System,
  taskIds: ReadonlySet<string>,
  traces: readonly JobTrace[] = [],
): readonly number[] {
  const killed = new Set<number>()
  for (let round = 0; round < mostRounds && taskIds.size > 0; round++) {
    const found = leftovers(system, taskIds, traces).filter((pid) => !killed.has(pid))
    const ended = found.filter((pid) => system.processes.signal(pid, 'SIGKILL'))
    if (ended.length === 0) break
    for (const pid of ended) killed.add(pid)
  }
  return [...killed]
}

function leftovers(
  system: System,
  taskIds: ReadonlySet<string>,
  traces: readonly JobTrace[],
): number[] {
  const names = system.files.list('/proc')
  if (names.kind !== 'ok') return []
  const pids = names.value.filter((name) => /^\d+$/.test(name)).map(Number)
  const stats = new Map(
    pids.flatMap((pid): [number, ProcessStat][] => {
      const stat = readStat(system.files, pid)
      return stat === undefined ? [] : [[pid, stat]]
    }),
  )
  const grouped = new Map(
    traces.flatMap((trace) => (isOurGroup(stats, trace) ? [[trace.pid, trace]] : [])),
  )
  const inCgroups = membersOf(system, traces, stats)
  const ownContainers = containersOf(system, 'self')
  const isInContainer = (pid: number): boolean =>
    [...containersOf(system, pid)].some((id) => !ownContainers.has(id))
  return pids.filter((pid) => {
    const stat = stats.get(pid)
    if (stat !== undefined && isZombie(stat)) return false
    if (stat !== undefined && (inCgroups.get(pid) ?? Infinity) <= stat.startTicks) return true
    const environment = system.files.readText(`/proc/${pid}/environ`)
    const text = environment.kind === 'ok' ? environment.value : ''
    if (outerTasksOf(text).some((taskId) => taskIds.has(taskId))) return !isInContainer(pid)
    const marked = mark.exec(text)?.[1]
    // Another's mark is the surest sign against, but for the cgroup that was made for the job.
    if (marked !== undefined) return taskIds.has(marked) && !isInContainer(pid)
    const trace = stat && grouped.get(stat.groupId)
    return stat !== undefined && trace !== undefined && belongs(stat, trace)
  })
}

/** The containers that a process is in, one inside the other. */
function containersOf({ files }: System, pid: number | 'self'): ReadonlySet<string> {
  const text = files.readText(`/proc/${pid}/cgroup`)
  return new Set(text.kind === 'ok' ? text.value.match(containerIds) : [])
}

/** A pid that was given to another since is no leader of ours; as long as anyone is in the group it is given to nobody. */
function isOurGroup(
  stats: ReadonlyMap<number, ProcessStat>,
  { pid, startTicks }: JobTrace,
): boolean {
  const leader = stats.get(pid)
  return leader === undefined || leader.startTicks === startTicks
}

const belongs = (stat: ProcessStat, trace: JobTrace): boolean =>
  stat.sessionId === trace.sessionId && stat.startTicks >= trace.startTicks

/** The processes in the cgroups of these jobs, each with the time at which its job began. */
function membersOf(
  { files }: System,
  traces: readonly JobTrace[],
  stats: ReadonlyMap<number, ProcessStat>,
): ReadonlyMap<number, number> {
  const members = new Map<number, number>()
  for (const { cgroups, startTicks } of traces)
    for (const directory of cgroups) {
      // Anybody can name a folder so; only the kernel's own say which processes are in them.
      if (!directory.startsWith(cgroupRoot) || directory.includes('/../')) continue
      // A later jobmeter that was given the same pid may have made one of the same name.
      if (stats.has(makerOf(directory))) continue
      const text = files.readText(`${directory}/cgroup.procs`)
      if (text.kind !== 'ok') continue
      for (const line of text.value.split('\n'))
        if (line !== '') members.set(Number(line), startTicks)
    }
  return members
}
