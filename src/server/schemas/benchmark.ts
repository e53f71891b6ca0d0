import { z } from '@hono/zod-openapi'
import { jobRecordKeys } from './record.ts'
import { figure, flag, momentOrNull, texts, whole } from './values.ts'

const matrix = z.record(z.string(), texts)
const cell = z.record(z.string(), z.string())

const listed = z
  .object({
    benchmark_id: whole,
    name: z.string(),
    command: texts,
    start_time: momentOrNull,
    end_time: momentOrNull,
    finished: flag,
    baselines: texts,
    runs_made: whole,
    runs_planned: whole,
    matrix,
  })
  .openapi('BenchmarkListed')
export const benchmarks = z.object({ benchmarks: z.array(listed) }).openapi('Benchmarks')

const spread = z
  .object({
    count: whole,
    mean: z.number(),
    median: z.number(),
    min: z.number(),
    max: z.number(),
    standard_deviation: figure,
    ci_low: figure,
    ci_high: figure,
    outliers: z.array(z.object({ run_number: whole, value: z.number() })),
  })
  .openapi('Spread')
const ratio = z.object({ value: z.number(), ci_low: figure, ci_high: figure }).openapi('Ratio')

const run = z
  .object({ run_number: whole, cell, ...z.object(jobRecordKeys).partial().shape })
  .openapi('BenchmarkRun', { description: 'a run with its whole record, where that is kept' })

/** As `jobmeter benchmark report --format json`. */
export const benchmark = z
  .object({
    benchmark_id: whole,
    name: z.string(),
    command: texts,
    params: z.record(z.string(), z.unknown()),
    matrix,
    start_time: momentOrNull,
    end_time: momentOrNull,
    finished: flag,
    runs_planned: whole,
    runs_counted: whole,
    runs_failed: whole,
    cells: z.array(
      z.object({
        cell,
        runs: whole,
        failed_runs: z.array(whole),
        metrics: z.object({
          duration_seconds: spread.nullable(),
          cpu_seconds: spread.nullable(),
          memory_peak_bytes: spread.nullable(),
          read_bytes: spread.nullable(),
          write_bytes: spread.nullable(),
        }),
      }),
    ),
    speed_ups: z.array(
      z.object({
        cell,
        against: cell,
        speed_up: ratio.nullable(),
        times_the_workers: figure,
        efficiency: ratio.nullable(),
      }),
    ),
    runs: z.array(run),
    warmup_runs: z.array(run),
  })
  .openapi('Benchmark')
