import type { JobChartData } from '../../model/job-chart-data.ts'
import type { Requirements } from '../../model/job.ts'
import type { Machine } from '../../model/machine.ts'
import type { AttemptStatus } from '../../model/outcome.ts'
import type { JobRecord } from '../../model/record.ts'
import type { MarkReport } from '../series/marked.ts'
import type { AttemptCurves } from '../series/job-curves.ts'
import type { Recommendation } from '../sizing/recommendation.ts'

/** What a report is made of: facts only, from the ledger and the series. */
export interface GatheredReport {
  readonly about: AboutWorkflow | AboutJob
  readonly generatedAt: number
  readonly runs: readonly ReportRun[]
  readonly jobs: readonly ReportSourceJob[]
  /** What to ask for next time, where somebody worked that out. */
  readonly recommendation: Recommendation | null
}

export interface AboutWorkflow {
  readonly kind: 'workflow'
  readonly workflowId: number
  readonly name: string
  readonly user: string
  readonly hosts: readonly string[]
  /** null where it has not run. */
  readonly startedAt: number | null
  readonly specPath: string
  readonly description: string | null
}

export interface AboutJob {
  readonly kind: 'job'
  readonly taskId: string
  readonly name: string
  readonly user: string
  readonly machine: Machine
  readonly startedAt: number
  readonly command: readonly string[]
}

export interface ReportRun {
  readonly runId: number
  readonly startedAt: number
  readonly endedAt: number | null
}

export interface ReportSourceJob {
  readonly jobId: number
  readonly name: string
  readonly state: AttemptStatus
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
  /** What lay between marks that its program set; null where it set none. */
  readonly marks: MarkReport | null
  /** The job over time in detail; only of the page of one job. */
  readonly charts?: JobChartData
}
