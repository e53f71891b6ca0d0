import type { JobRecord } from '../../model/record.ts'
import type { Mark } from '../../model/marks/mark.ts'
import type { SampleRow } from '../../model/sample.ts'
import { unmeasured, type Measured } from '../../model/measured.ts'
import { advise, type Advice } from './advice.ts'
import { boundBy, type Verdict } from './bound-by.ts'
import { efficiency, type Efficiency } from './efficiency.ts'
import { evenSeries, type EvenSeries } from '../series/even-series.ts'
import { idleEnds } from '../series/idle-ends.ts'
import { cpuPeak, missingPeak, type CpuPeak, type MissingPeak } from './missing-peak.ts'
import { leakLimit, type LimitReached } from '../series/leak-limit.ts'
import { memoryTrend, type MemoryTrend } from '../series/leak.ts'
import { markReport, type MarkReport } from '../series/marked.ts'
import { findPhases, type Phase } from '../series/phases.ts'

/** What happened with a job. */
export interface JobReport {
  readonly record: JobRecord
  readonly sampleCount: number
  /** Why the report goes by totals only; null where there are samples. */
  readonly noSeries: string | null
  readonly series: EvenSeries | null
  readonly phases: readonly Phase[]
  /** Whether there were more changes than phases are shown. */
  readonly morePhases: boolean
  /** Why there is but one phase, where the job was too short to tell. */
  readonly whyOnePhase: string | null
  /** Why the memory peak is not in the phases; null where it is. */
  readonly missingPeak: MissingPeak | null
  readonly cpuPeak: CpuPeak
  /** What lay between marks that its program set; null where it set none. */
  readonly marks: MarkReport | null
  readonly startUpSeconds: Measured
  readonly idleTailSeconds: Measured
  readonly verdict: Verdict
  readonly memory: MemoryTrend
  readonly memoryLimit: LimitReached | null
  readonly efficiency: Efficiency
  /** In order, three at most. */
  readonly advice: readonly Advice[]
}

/** `whyNoRows` says why there are none, where there are none. */
export function jobReport(
  record: JobRecord,
  rows: readonly SampleRow[],
  whyNoRows = 'it ran without a series',
  marks: readonly Mark[] = [],
): JobReport {
  const series = evenSeries(rows) ?? null
  const noSeries =
    series !== null ? null : rows.length === 0 ? whyNoRows : 'it ended before a second sample'
  const seen = series === null ? blind(noSeries ?? whyNoRows) : look(series, rows)
  const verdict = boundBy(record)
  const share = efficiency(record)
  const memoryLimit = leakLimit(seen.memory, record)
  return {
    record,
    sampleCount: rows.length,
    noSeries,
    series,
    ...seen,
    missingPeak: missingPeak(share.memory.used, seen.phases, rows),
    cpuPeak: cpuPeak(record.usage, series),
    marks: marks.length === 0 ? null : markReport(marks, rows, record.durationSeconds ?? 0),
    verdict,
    memoryLimit,
    efficiency: share,
    advice: advise({
      record,
      verdict,
      efficiency: share,
      ends: seen,
      trend: seen.memory,
      limit: memoryLimit,
      hasSamples: series !== null,
    }),
  }
}

type Seen = Pick<
  JobReport,
  'phases' | 'morePhases' | 'whyOnePhase' | 'startUpSeconds' | 'idleTailSeconds' | 'memory'
>

function look(series: EvenSeries, rows: readonly SampleRow[]): Seen {
  const memory = memoryTrend(series)
  const { phases, more, whyOne } = findPhases(series, memory)
  return { phases, morePhases: more, whyOnePhase: whyOne, ...idleEnds(rows, phases), memory }
}

const blind = (why: string): Seen => ({
  phases: [],
  morePhases: false,
  whyOnePhase: null,
  startUpSeconds: unmeasured(why),
  idleTailSeconds: unmeasured(why),
  memory: { kind: 'unknown', why },
})
