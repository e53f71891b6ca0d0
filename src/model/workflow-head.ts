import type { JobState } from './job-state.ts'
import type { Owner } from './machine.ts'

/** A workflow without its jobs, as lists and its own page show it. */
export interface WorkflowHead {
  readonly workflowId: number
  readonly name: string
  readonly user: string
  readonly createdAt: number
  readonly specPath: string
  readonly jobCount: number
  readonly states: Readonly<Record<JobState, number>>
  readonly latestRunId: number | null
  readonly leasedBy: Owner | null
}
