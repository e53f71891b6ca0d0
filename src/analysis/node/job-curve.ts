import type { JobSeries } from '../../model/node-export.ts'
import type { SeenRound, SeenSeries } from '../../model/seen-round.ts'
import { hourSeconds, minuteSeconds } from '../../model/time-parts.ts'

const stepSeconds = { 'five minutes': 5 * minuteSeconds, hours: hourSeconds }

/** What a job did over time, with the beginning of each stretch, and how far apart these are. */
export function jobCurve({ kind, rounds }: SeenSeries): JobSeries {
  const step = kind === 'rounds' ? null : stepSeconds[kind]
  return {
    stepSeconds: step ?? usualStep(rounds),
    points: rounds.map(({ to, seconds, cpuSeconds, memoryBytes }) => ({
      at: to - (step ?? seconds),
      seconds,
      cpuSeconds,
      memoryBytes,
    })),
  }
}

/** The middle one of their lengths, in whole seconds. */
function usualStep(rounds: readonly SeenRound[]): number {
  const lengths = rounds.map(({ seconds }) => seconds).toSorted((one, other) => one - other)
  return Math.max(1, Math.round(lengths[lengths.length >> 1] ?? 1))
}
