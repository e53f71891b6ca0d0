import { z } from '@hono/zod-openapi'
import { attemptStatus } from './job.ts'
import { figure, flag, textOrNull, whole, wholeOrNull } from './values.ts'

const check = z.object({
  job_id: whole,
  job_name: z.string(),
  resource_type: z.string(),
  specified: z.string(),
  peak_used: z.string(),
  over_utilization: z.string(),
  run_id: whole,
  attempt: whole,
  unit: z.string(),
  specified_value: z.number(),
  peak_used_value: figure,
  is_lower_bound: flag,
  over_utilization_percent: figure,
  not_measured: textOrNull,
})

/** As `jobmeter reports utilization --format json`. */
export const utilization = z
  .object({
    workflow_id: whole,
    run_id: wholeOrNull,
    total_results: whole,
    over_utilization_count: whole,
    violations: z.array(check),
    results: z.array(check).optional(),
    unmeasured_count: whole,
    failed_left_out: whole,
    failed_jobs: z.array(
      z.object({
        job_id: whole,
        job_name: z.string(),
        run_id: whole,
        attempt: whole,
        status: attemptStatus,
        return_code: wholeOrNull,
        probable_cause: z.string(),
        evidence: z.string(),
      }),
    ),
  })
  .openapi('Utilization')

const sizing = z
  .object({
    requirement: z.string(),
    jobs: whole,
    resource_type: z.string(),
    requested: z.string(),
    recommended: z.string(),
    change: z.string(),
    reason: z.string(),
    confidence: z.string(),
    attempts: whole,
    unit: z.enum(['cores', 'bytes', 'seconds']),
    requested_value: figure,
    recommended_value: figure,
    least_used_value: figure,
    most_used_value: figure,
  })
  .openapi('Sizing', { description: 'what one request should be, in words and figures' })

/** As `jobmeter reports recommend --format json`. */
export const recommendations = z
  .object({
    workflow_id: whole,
    runs: whole,
    attempts: whole,
    jobs_without_request: whole,
    recommendations: z.array(sizing),
    saved_core_hours: z.number(),
    saved_gb_hours: z.number(),
  })
  .openapi('Recommendations')

export const jobRecommendation = z
  .object({
    task_id: z.string(),
    name: z.string(),
    attempts: whole.openapi({ description: 'how many attempts at the same job it rests on' }),
    recommendations: z.array(sizing),
  })
  .openapi('JobRecommendation')

export type Recommendations = z.infer<typeof recommendations>
export type JobRecommendation = z.infer<typeof jobRecommendation>
export type Utilization = z.infer<typeof utilization>
