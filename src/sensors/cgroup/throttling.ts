import { KeyedNumbers } from '../keyed-numbers.ts'

/** How a CPU limit held a cgroup back: `cpu.stat` of v1, and of v2 where the controller is on. */
export class Throttling {
  /** Added up over the CPUs that had to stop. */
  throttledSeconds = Number.NaN
  /** Periods of the limit in which it wanted to run, */
  periods = Number.NaN
  /** and those of them in which it had to stop. */
  throttledPeriods = Number.NaN
}

const lines = new KeyedNumbers(['nr_periods', 'nr_throttled', 'throttled_time', 'throttled_usec'])

/** False where there is no limit to tell of. */
export function parseThrottling(bytes: Uint8Array, length: number, into: Throttling): boolean {
  lines.find(bytes, length)
  into.periods = lines.number('nr_periods')
  into.throttledPeriods = lines.number('nr_throttled')
  const nanoseconds = lines.number('throttled_time')
  into.throttledSeconds = Number.isNaN(nanoseconds)
    ? lines.number('throttled_usec') / 1e6
    : nanoseconds / 1e9
  return !Number.isNaN(into.periods + into.throttledPeriods + into.throttledSeconds)
}

/** Percent of its periods; 0 where there was none yet, NaN where nobody counts them. */
export const throttledPercent = ({
  periods,
  throttledPeriods,
}: Pick<Throttling, 'periods' | 'throttledPeriods'>): number =>
  periods === 0 ? 0 : (100 * throttledPeriods) / periods
