import type { GatheredReport } from '../../analysis/workflow/gathered-report.ts'
import type { Zone } from '../units/zoned-time.ts'

/** A report's facts with the words that stand around them. */
export interface ReportSource extends Pick<GatheredReport, 'generatedAt' | 'runs' | 'jobs'> {
  readonly kind: 'workflow' | 'job'
  readonly title: string
  /** Said once at the top, such as `['Host', 'node01']`. */
  readonly facts: readonly (readonly [name: string, fact: string])[]
  /** In which times are shown. */
  readonly zone: Zone
  readonly version: string
  /** What to ask for next time, where somebody worked that out. */
  readonly recommendations: readonly ReportRecommendation[]
}

/** One request that should be another; all in words. */
export interface ReportRecommendation {
  readonly requirement: string
  readonly resource: string
  readonly now: string
  readonly suggested: string
  readonly reason: string
  readonly confidence: string
}
