import { z } from '@hono/zod-openapi'
import { attemptStatus } from './job.ts'
import { markReport } from './mark.ts'
import { verdict } from './record.ts'
import { figure, flag, textOrNull, whole, wholeOrNull } from './values.ts'

const phase = z.object({
  kind: z.enum(['idle', 'io', 'light', 'one-core', 'parallel', 'unknown']),
  from_seconds: z.number(),
  to_seconds: z.number(),
  cpu_cores: figure,
  memory_start_bytes: figure,
  memory_end_bytes: figure,
  memory_peak_bytes: figure,
  read_bytes_per_second: figure,
  write_bytes_per_second: figure,
  says: z.string(),
})

const memory = z.object({
  trend: z.enum(['leak', 'step', 'sawtooth', 'levels-off', 'steady', 'varies', 'unknown']),
  bytes_per_hour: figure,
  r_squared: figure,
  rising_share: figure,
  from_seconds: figure,
  limit: z.enum(['request', 'limit', 'machine']).nullable(),
  limit_bytes: figure,
  limit_reached_seconds: figure,
  step_seconds: figure,
  step_bytes: figure,
  teeth: wholeOrNull,
  says: z.string(),
})

const part = z.object({
  share: figure,
  used: figure,
  is_lower_bound: flag,
  of: figure,
  basis: z.enum(['request', 'limit', 'machine']).nullable(),
})

const advice = z
  .object({
    about: z.string(),
    figures: z.record(z.string(), z.number()),
    says: z.string(),
  })
  .openapi('Advice')

/** As `jobmeter reports job --format json`. */
export const jobFindings = z
  .object({
    task_id: z.string(),
    name: z.string(),
    status: attemptStatus,
    return_code: wholeOrNull,
    signal: textOrNull,
    error: textOrNull,
    duration_seconds: figure,
    cores: whole,
    samples: whole,
    no_series: textOrNull,
    phases: z.array(phase),
    more_phases: flag,
    why_one_phase: textOrNull,
    missing_peak: z.enum(['brief', 'brief-or-shared']).nullable(),
    cpu_peak: z.object({
      cores: figure,
      is_lower_bound: flag,
      timeline_shows: z.enum(['less', 'more']).nullable(),
    }),
    marks: markReport.optional(),
    start_up_seconds: figure,
    idle_tail_seconds: figure,
    bound_by: verdict,
    memory,
    efficiency: z.object({ cores: part, memory: part, gpu: part, time: part }),
    advice: z.array(advice),
    unmeasured: z.record(z.string(), z.string()),
  })
  .openapi('JobFindings', { description: 'what happened in a job, and what to do about it' })

export type JobFindings = z.infer<typeof jobFindings>

export const jobParts = z
  .object({
    task_id: z.string(),
    processes_peak: figure,
    processes_started: figure,
    largest_process_peak_bytes: figure,
    stragglers: z
      .array(z.object({ pid: whole, command: z.string() }))
      .openapi({ description: 'processes that were still there when the job ended' }),
    threads: z
      .array(z.object({ pid: whole, tid: whole, name: z.string(), cpu_seconds: z.number() }))
      .openapi({ description: 'most CPU time first; none where threads were not measured' }),
  })
  .openapi('JobParts')

export type JobParts = z.infer<typeof jobParts>
