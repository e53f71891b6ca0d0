import type { RequestAdvice } from './sizing.ts'
import type { Savings } from './sizing-savings.ts'

/** Requests with what they should have been. */
export interface Recommendation {
  readonly workflowId: number
  /** How many runs were looked at. */
  readonly runs: number
  readonly attempts: number
  readonly requests: readonly RecommendedRequest[]
  readonly savings: Savings
  /** Jobs that ask for nothing, and so have no request to change. */
  readonly jobsWithoutRequest: number
}

export interface RecommendedRequest {
  readonly name: string
  /** `own`: a job's own, which has the name of the job as the file writes it. */
  readonly kind: 'named' | 'own'
  readonly jobCount: number
  readonly advice: RequestAdvice
}
