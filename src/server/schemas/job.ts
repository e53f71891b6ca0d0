import { z } from '@hono/zod-openapi'
import { attemptStatuses } from '../../model/outcome.ts'
import {
  figure,
  momentOrNull,
  requirements,
  texts,
  textOrNull,
  whole,
  wholeOrNull,
} from './values.ts'

export const attemptStatus = z.enum(attemptStatuses).openapi('AttemptStatus')

/** An attempt at a job in a list. */
export const jobBrief = z
  .object({
    task_id: z.string(),
    job_id: wholeOrNull,
    workflow_id: wholeOrNull,
    run_id: wholeOrNull,
    attempt: whole,
    name: z.string(),
    tool: z.string(),
    user: z.string(),
    host: z.string(),
    tags: texts,
    status: attemptStatus,
    start_time: momentOrNull,
    end_time: momentOrNull,
    duration_seconds: figure,
    returncode: wholeOrNull,
    signal: textOrNull,
    reason: textOrNull,
    error: textOrNull.openapi({ description: 'why it did not succeed, in a few words' }),
    requirements,
    usage: z.object({
      cpu_total_seconds: figure,
      cpu_percent_mean: figure,
      memory_peak_bytes: figure,
    }),
    lower_bounds: texts.openapi({
      description:
        'the names of those of its figures, its duration included, of which there may have been more',
    }),
  })
  .openapi('JobBrief', { description: 'an attempt at a job, as lists show it' })

export const jobPage = z
  .object({
    jobs: z.array(jobBrief),
    next_cursor: textOrNull.openapi({ description: 'asks for the next page; null: no more' }),
  })
  .openapi('JobPage')

export const attempts = z.object({ attempts: z.array(jobBrief) }).openapi('Attempts')

const trend = z.object({
  metric: z.enum(['duration', 'cpu', 'memory']),
  unit: z.enum(['seconds', 'bytes']),
  change: z.enum(['worse', 'better', 'noise', 'cannot-judge']).openapi({
    description: 'whether the newest runs differ from those before by more than noise',
  }),
  newest: figure.openapi({ description: 'median of the newest runs that succeeded' }),
  before: figure.openapi({ description: 'median of those before them' }),
})

export const pastRuns = z
  .object({
    name: z.string(),
    runs: z.array(jobBrief).openapi({ description: 'of the same job, newest first' }),
    trends: z.array(trend),
  })
  .openapi('PastRuns')

export type JobBrief = z.infer<typeof jobBrief>
export type JobPage = z.infer<typeof jobPage>
export type PastRuns = z.infer<typeof pastRuns>
