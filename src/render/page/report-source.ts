import type { AttemptCurves } from '../../analysis/series/job-curves.ts'
import type { Requirements } from '../../model/job.ts'
import type { AttemptStatus } from '../../model/outcome.ts'
import type { JobRecord } from '../../model/record.ts'
import type { Zone } from '../units/zoned-time.ts'

/** What a report is made of: facts only, from the ledger and the series. */
export interface ReportSource {
  readonly kind: 'workflow' | 'job'
  readonly title: string
  /** Said once at the top, such as `['Host', 'node01']`. */
  readonly facts: readonly (readonly [name: string, fact: string])[]
  readonly generatedAt: number
  /** In which times are shown. */
  readonly zone: Zone
  readonly version: string
  readonly runs: readonly ReportRun[]
  readonly jobs: readonly ReportSourceJob[]
  /** What to ask for next time, where somebody worked that out. */
  readonly recommendations: readonly ReportRecommendation[]
}

export interface ReportRun {
  readonly runId: number
  readonly startedAt: number
  readonly endedAt: number | null
}

export interface ReportSourceJob {
  readonly jobId: number
  readonly name: string
  /** A job of a workflow may wait; an attempt may run. */
  readonly state: AttemptStatus | 'waiting'
  /** The name that its requirements have; null where they have none. */
  readonly requirementsName: string | null
  readonly requirements: Requirements
  readonly dependsOn: readonly string[]
  /** In order of time. */
  readonly attempts: readonly ReportAttempt[]
}

export interface ReportAttempt {
  readonly runId: number
  readonly attempt: number
  readonly record: JobRecord
  /** null where it has no samples. */
  readonly curves: AttemptCurves | null
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
