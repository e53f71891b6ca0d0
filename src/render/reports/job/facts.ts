import type { AdviceAbout } from '../../../analysis/job/advice.ts'
import type { Verdict } from '../../../analysis/job/bound-by.ts'
import type { CpuPeak, MissingPeak } from '../../../analysis/job/missing-peak.ts'
import type { MemoryTrend } from '../../../analysis/series/leak.ts'
import type { PhaseKind } from '../../../analysis/series/phases.ts'
import type { MarkReportJson } from '../../marks/marks-json.ts'
import type { AttemptStatus } from '../../../model/outcome.ts'

/** What happened with a job, as scripts read it; all other formats show what stands here. */
export interface JobReportJson {
  readonly task_id: string
  readonly name: string
  readonly status: AttemptStatus
  readonly return_code: number | null
  readonly signal: string | null
  /** Why it did not succeed, or what to mind though it did; null where there is nothing to say. */
  readonly error: string | null
  readonly duration_seconds: number | null
  readonly cores: number
  readonly samples: number
  /** Why there is no timeline; null where there is one. */
  readonly no_series: string | null
  readonly phases: readonly PhaseJson[]
  readonly more_phases: boolean
  /** Why there is but one phase, where the job was too short to tell; null elsewhere. */
  readonly why_one_phase: string | null
  /** Why the memory peak is not in the phases; null where it is. */
  readonly missing_peak: MissingPeak | null
  readonly cpu_peak: CpuPeakJson
  /** What lay between marks that its program set; absent where it set none. */
  readonly marks?: MarkReportJson
  readonly start_up_seconds: number | null
  readonly idle_tail_seconds: number | null
  readonly bound_by: Verdict
  readonly memory: MemoryJson
  readonly efficiency: Readonly<Record<'cores' | 'memory' | 'gpu' | 'time', PartJson>>
  readonly advice: readonly AdviceJson[]
  /** Why each figure that is null is null. */
  readonly unmeasured: Readonly<Record<string, string>>
}

export interface PhaseJson {
  readonly kind: PhaseKind
  readonly from_seconds: number
  readonly to_seconds: number
  readonly cpu_cores: number | null
  readonly memory_start_bytes: number | null
  readonly memory_end_bytes: number | null
  readonly memory_peak_bytes: number | null
  readonly read_bytes_per_second: number | null
  readonly write_bytes_per_second: number | null
  readonly says: string
}

export interface CpuPeakJson {
  /** The highest mean over a second or more, or over a whole job that was shorter. */
  readonly cores: number | null
  /** Whether it may have been more. */
  readonly is_lower_bound: boolean
  /** What the highest point of the timeline is to it; null where they are alike. */
  readonly timeline_shows: CpuPeak['timelineShows']
}

export interface MemoryJson {
  readonly trend: MemoryTrend['kind']
  readonly bytes_per_hour: number | null
  readonly r_squared: number | null
  readonly rising_share: number | null
  readonly from_seconds: number | null
  readonly limit: 'request' | 'limit' | 'machine' | null
  readonly limit_bytes: number | null
  /** When it would be reached, since the start. */
  readonly limit_reached_seconds: number | null
  readonly step_seconds: number | null
  readonly step_bytes: number | null
  readonly teeth: number | null
  readonly says: string
}

export interface PartJson {
  readonly share: number | null
  readonly used: number | null
  /** Whether it may have used more, and so a larger share. */
  readonly is_lower_bound: boolean
  readonly of: number | null
  readonly basis: 'request' | 'limit' | 'machine' | null
}

export interface AdviceJson {
  readonly about: AdviceAbout
  readonly figures: Readonly<Record<string, number>>
  readonly says: string
}
