import { measured } from '../../model/measured.ts'
import { sampleIndex, type SampleColumn, type SampleRow } from '../../model/sample.ts'
import { emptyUsage, type Usage } from '../../model/usage.ts'

/** What the ledger still holds of an attempt whose runner died. */
export interface Remains {
  readonly startedAt: number
  /** The newest sample; null where none was kept. */
  readonly lastSample: SampleRow | null
  /** The highest `memory_bytes` of all samples; null where none has any. */
  readonly memoryPeakBytes: number | null
}

/** What samples that are all known prove; rows in order of time. */
export function remainsOf(startedAt: number, rows: readonly SampleRow[]): Remains {
  const memory = rows.map((row) => row[sampleIndex.memory_bytes] ?? Number.NaN)
  return {
    startedAt,
    lastSample: rows.at(-1) ?? null,
    memoryPeakBytes: memory.reduce(
      (most, one) => (one > most ? one : most),
      Number.NEGATIVE_INFINITY,
    ),
  }
}

export interface InterruptedEnd {
  readonly endedAt: number | null
  readonly durationSeconds: number | null
  readonly usage: Usage
}

/** Why an attempt is called interrupted. */
export const killedReason = 'jobmeter was killed while the job ran'

const why = 'the runner was killed'
const basis = 'last sample before the runner died'

/**
 * The end of an attempt that nobody saw, as far as its samples prove it. All figures are lower
 * bounds: the job may have gone on after the last look.
 */
export function interruptedEnd(remains: Remains): InterruptedEnd {
  const { lastSample, memoryPeakBytes } = remains
  const usage = emptyUsage(why)
  if (lastSample === null) return { endedAt: null, durationSeconds: null, usage }
  const at = (column: SampleColumn): number => lastSample[sampleIndex[column]] ?? Number.NaN
  const elapsed = at('elapsed_seconds')
  const known = Number.isFinite(elapsed) && elapsed >= 0
  const user = at('cpu_user_seconds')
  const system = at('cpu_system_seconds')
  return {
    // Not the sample's wall time: where the clock stepped back the job would end before it began.
    endedAt: known ? remains.startedAt + elapsed : null,
    durationSeconds: known ? elapsed : null,
    usage: {
      ...usage,
      cpuUserSeconds: measured(user, basis),
      cpuSystemSeconds: measured(system, basis),
      cpuTotalSeconds: measured(user + system, basis),
      memoryPeakBytes: measured(memoryPeakBytes ?? Number.NaN, basis),
    },
  }
}
