import { measured, unmeasured, type Measured } from '../model/measured.ts'
import type { EvenSeries } from './even-series.ts'
import { percentile } from './statistics.ts'

/** How long a job did nothing at its beginning and at its end, to the length of a step. */
export interface IdleEnds {
  /** Until its CPU use first rose to half of what it is when busy. */
  readonly startUpSeconds: Measured
  /** Since it last computed or moved data. */
  readonly idleTailSeconds: Measured
}

const idlePolicy = {
  /** Of one core: a job that never passes this waits all the time, and its ends are not special. */
  busyCores: 0.1,
  /** Below this share of its busy level a job is idle, and below this much of a core always. */
  idleShare: 0.1,
  idleCores: 0.05,
  idleIoBytesPerSecond: 2 ** 20,
  /** Shorter ends are nothing to speak of. */
  shortestShare: 0.05,
  shortestSeconds: 1,
  /** Steps that must be busy together: one busy step in a quiet time is a hiccup. */
  sustainedSteps: 2,
  /** The same at the end, where a process that exits is busy for a moment with giving back its memory. */
  sustainedAtEnd: 3,
} as const

export function idleEnds(series: EvenSeries): IdleEnds {
  const { cpuCores, length, stepSeconds, fromSeconds } = series
  if (cpuCores === null) return nothing('its CPU time was not sampled')
  if (length < 4) return nothing('too few samples')
  const busy = percentile(cpuCores, 75) ?? 0
  if (busy < idlePolicy.busyCores) return nothing('it was hardly ever busy')
  const first = cpuCores.findIndex((_, index) =>
    cpuCores.subarray(index, index + idlePolicy.sustainedSteps).every((cores) => cores >= busy / 2),
  )
  const startUp = first <= 0 ? 0 : fromSeconds + first * stepSeconds
  const last = lastActive(series, busy)
  const tail = last < 0 ? 0 : (length - 1 - last) * stepSeconds
  const basis = `samples, to ${Number(stepSeconds.toPrecision(2))} s`
  return {
    startUpSeconds: measured(startUp, basis),
    idleTailSeconds: measured(worthSaying(tail, length * stepSeconds) ? tail : 0, basis),
  }
}

function lastActive(series: EvenSeries, busy: number): number {
  const { cpuCores, readBytesPerSecond: read, writeBytesPerSecond: write, length } = series
  const idleBelow = Math.max(idlePolicy.idleCores, idlePolicy.idleShare * busy)
  let together = 0
  for (let index = length - 1; index >= 0; index -= 1) {
    const moved = (read?.[index] ?? 0) + (write?.[index] ?? 0)
    const active = (cpuCores?.[index] ?? 0) >= idleBelow || moved >= idlePolicy.idleIoBytesPerSecond
    together = active ? together + 1 : 0
    if (together === idlePolicy.sustainedAtEnd) return index + together - 1
  }
  return -1
}

const worthSaying = (seconds: number, ofSeconds: number): boolean =>
  seconds >= Math.max(idlePolicy.shortestSeconds, idlePolicy.shortestShare * ofSeconds)

const nothing = (why: string): IdleEnds => ({
  startUpSeconds: unmeasured(why),
  idleTailSeconds: unmeasured(why),
})
