import type { HostCounters } from './counters.ts'

/** Counters as they are kept from one import to the next. */
export const countersText = (counters: HostCounters): string =>
  JSON.stringify({
    at: counters.at,
    booted: counters.bootedAt,
    cores: counters.coreSeconds,
    processes: [...counters.processes].map(
      ([key, { pid, parentPid, cpuSeconds, readKib, writtenKib }]) => [
        key,
        pid,
        parentPid,
        cpuSeconds,
        readKib,
        writtenKib,
      ],
    ),
    jobs: [...counters.jobs].map(([key, { epoch, user, command }]) => [key, epoch, user, command]),
  })

interface Kept {
  readonly at: number
  readonly booted: number | null
  readonly cores: readonly number[] | null
  readonly processes: readonly [
    string,
    number,
    number,
    number | null,
    number | null,
    number | null,
  ][]
  readonly jobs: readonly [string, string, string, string][]
}

/** Undefined where somebody else wrote there: the next sample then begins anew. */
export function countersOf(text: string): HostCounters | undefined {
  try {
    const kept = JSON.parse(text) as Kept
    return {
      at: kept.at,
      bootedAt: kept.booted,
      coreSeconds: kept.cores,
      processes: new Map(
        kept.processes.map(([key, pid, parentPid, cpuSeconds, readKib, writtenKib]) => [
          key,
          { pid, parentPid, cpuSeconds, readKib, writtenKib },
        ]),
      ),
      jobs: new Map(
        kept.jobs.map(([key, epoch, user, command]) => [key, { epoch, user, command }]),
      ),
    }
  } catch {
    return undefined
  }
}
