import type { SonarProcess, SonarSample } from './sample.ts'

/** The counters of a process at the last sample that had it. */
export interface Counted {
  readonly pid: number
  readonly parentPid: number
  readonly cpuSeconds: number | null
  readonly readKib: number | null
  readonly writtenKib: number | null
}

export type CounterName = 'cpuSeconds' | 'readKib' | 'writtenKib'

/** What a job was called at the last sample that had it: that stays. */
export interface KnownJob {
  readonly epoch: string
  readonly user: string
  readonly command: string
}

/** All that has to be known of a host for its next sample to tell what was used in between. */
export interface HostCounters {
  readonly at: number
  readonly bootedAt: number | null
  readonly coreSeconds: readonly number[] | null
  readonly processes: ReadonlyMap<string, Counted>
  readonly jobs: ReadonlyMap<string, KnownJob>
}

/** Pids are used again: a process is the same only in the same job. */
export const processKey = (jobKey: string, { pid, command }: SonarProcess): string =>
  pid > 0 ? `${pid} ${jobKey}` : `0 ${jobKey} ${command}`

/**
 * What processes that are gone had used, by the process that is still there and waited for them: their use comes a second time,
 * in its counters. Null where nothing ended.
 */
export function inherited(
  before: HostCounters['processes'],
  now: ReadonlySet<string>,
): ReadonlyMap<number, Record<CounterName, number>> | null {
  const gone = [...before].filter(([key, { pid }]) => pid > 0 && !now.has(key))
  if (gone.length === 0) return null
  const living = new Set<number>()
  const parents = new Map<number, number>()
  for (const [key, { pid, parentPid }] of before) {
    if (now.has(key)) living.add(pid)
    else parents.set(pid, parentPid)
  }
  const owed = new Map<number, Record<CounterName, number>>()
  for (const [, process] of gone) {
    const heir = heirOf(process.parentPid, living, parents)
    if (heir === undefined) continue
    const sum = owed.get(heir) ?? { cpuSeconds: 0, readKib: 0, writtenKib: 0 }
    sum.cpuSeconds += process.cpuSeconds ?? 0
    sum.readKib += process.readKib ?? 0
    sum.writtenKib += process.writtenKib ?? 0
    owed.set(heir, sum)
  }
  return owed
}

const mostAncestors = 100

function heirOf(
  parentPid: number,
  living: ReadonlySet<number>,
  parents: ReadonlyMap<number, number>,
): number | undefined {
  let pid: number | undefined = parentPid
  for (let steps = 0; pid !== undefined && steps < mostAncestors; steps++) {
    if (living.has(pid)) return pid
    pid = parents.get(pid)
  }
  return undefined
}

/**
 * What a counter tells of the time between two samples; null where it tells nothing. `most` is what can be used in that time:
 * a process that has more was there before, and somebody left it out.
 */
export function usedSince(
  now: number | null,
  before: number | null | undefined,
  {
    owed,
    most,
    isGroup,
  }: { readonly owed: number; readonly most: number; readonly isGroup: boolean },
): number | null {
  if (now === null || before === null) return null
  const grown = now - (before ?? 0)
  // Of several processes together some are gone; of one, it is another that has its pid.
  const used = grown >= owed ? grown - owed : grown >= 0 ? grown : isGroup ? null : now
  return used !== null && used <= most ? used : null
}

/** Busy seconds of each core since the last sample; null where that is not known. */
export function coresSince(
  { coreSeconds }: SonarSample,
  before: readonly number[] | null,
): readonly number[] | null {
  if (coreSeconds === null || before?.length !== coreSeconds.length) return null
  return coreSeconds.map((seconds, core) => seconds - (before[core] ?? 0))
}
