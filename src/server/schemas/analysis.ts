import { z } from '@hono/zod-openapi'
import { figure, flag, textOrNull, texts, whole, wholeOrNull } from './values.ts'

const toolStatistics = z.object({
  count: whole,
  successful: whole,
  failed: whole,
  running: whole,
  waiting: whole,
  unknown: whole,
  success_rate: figure,
  total_duration: figure,
  total_duration_is_lower_bound: flag,
  total_cpu_time: figure,
})

/** As `jobmeter job-stats --format json`. */
export const statistics = z
  .object({
    total_jobs: whole,
    successful: whole,
    failed: whole,
    running: whole,
    waiting: whole,
    unknown: whole,
    success_rate: figure,
    total_cpu_time_seconds: figure,
    total_cpu_time_is_lower_bound: flag,
    jobs_without_cpu_time: whole,
    total_duration_seconds: figure,
    total_duration_is_lower_bound: flag,
    jobs_without_duration: whole,
    average_duration_seconds: figure,
    by_tool: z.record(z.string(), toolStatistics),
  })
  .openapi('Statistics')

const share = z.object({
  resource: z.enum(['cores', 'memory', 'disk', 'gpus']),
  used: figure,
  is_lower_bound: flag,
  capacity: figure,
  share: figure,
  verdict: z.enum(['idle', 'little', 'part', 'full', 'held-back', 'unknown']),
  why: textOrNull,
})

/** As `jobmeter reports scaling --format json`. */
export const scaling = z
  .object({
    runs: z.array(z.object({ task_id: z.string(), name: z.string(), shares: z.array(share) })),
    workers_from: textOrNull,
    workers_also_in: texts,
    starved_runs: whole,
    left_out: z.array(z.object({ why: z.string(), count: whole })),
    points: z.array(
      z.object({
        workers: z.number(),
        runs: whole,
        seconds: z.number(),
        speed_up: z.number(),
        efficiency: z.number(),
        serial_fraction: figure,
      }),
    ),
    law: z
      .object({
        one_worker_seconds: z.number(),
        serial_fraction: z.number(),
        serial_fraction_low: figure,
        serial_fraction_high: figure,
        worst_error: z.number(),
        median_error: figure,
        repeat_spread: figure,
        worthwhile_workers: figure,
        worthwhile_workers_low: figure,
        worthwhile_workers_high: figure,
      })
      .nullable(),
  })
  .openapi('Scaling')

const comparedSet = z.object({
  set: z.string(),
  runs: whole,
  left_out: whole,
  partial: whole,
})

/** As `jobmeter reports compare --format json`. */
export const comparison = z
  .object({
    a: comparedSet,
    b: comparedSet,
    by: z.enum(['runs', 'jobs']),
    jobs: wholeOrNull,
    unpaired: texts,
    metrics: z.array(
      z.object({
        metric: z.enum(['duration', 'cpu', 'memory', 'read', 'write']),
        unit: z.enum(['seconds', 'bytes']),
        count_a: whole,
        count_b: whole,
        a: figure,
        b: figure,
        a_is_lower_bound: flag,
        b_is_lower_bound: flag,
        change_percent: figure,
        change_low_percent: figure,
        change_high_percent: figure,
        p_value: figure,
        least_p_value: figure,
        test: z.enum(['exact', 'normal']).nullable(),
        difference: z.string(),
      }),
    ),
  })
  .openapi('Comparison')

/** As `jobmeter doctor --format json`. */
export const doctor = z
  .object({
    version: z.string(),
    node: z.string(),
    kernel: z.string(),
    host: z.string(),
    rungs: z.array(
      z.object({
        name: z.string(),
        state: z.enum(['yes', 'no', 'partly']),
        finding: z.string(),
        remedy: textOrNull,
      }),
    ),
  })
  .openapi('Doctor', { description: 'what can be measured on this machine, and how' })
