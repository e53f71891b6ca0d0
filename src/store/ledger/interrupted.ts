import { measured } from '../../model/measured.ts'
import {
  sampleColumns,
  sampleIndex,
  type SampleColumn,
  type SampleRow,
} from '../../model/sample.ts'
import { emptyUsage, type Usage } from '../../model/usage.ts'
import type { LastSeen } from '../spool/last-seen.ts'

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

/** The same from what was noted beside the ledger. */
function remainsSeen(startedAt: number, seen: LastSeen): Remains {
  const lastSample = new Float64Array(sampleColumns.length).fill(Number.NaN)
  lastSample[sampleIndex.elapsed_seconds] = seen.elapsedSeconds
  lastSample[sampleIndex.cpu_user_seconds] = seen.cpuUserSeconds
  lastSample[sampleIndex.cpu_system_seconds] = seen.cpuSystemSeconds
  return { startedAt, lastSample, memoryPeakBytes: seen.memoryPeakBytes }
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
 * bounds: the job may have gone on after the last look. `seen` is asked where no sample was kept.
 */
export function interruptedEnd(kept: Remains, seen?: LastSeen): InterruptedEnd {
  const { startedAt } = kept
  const remains =
    kept.lastSample === null && seen !== undefined ? remainsSeen(startedAt, seen) : kept
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
    endedAt: known ? startedAt + elapsed : null,
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
