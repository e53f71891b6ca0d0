import { z } from '@hono/zod-openapi'
import { cardFigures, gpuVendors } from '../../model/gpu-usage.ts'
import { usageName, usageNames } from '../../model/usage-names.ts'
import { attemptStatus } from './job.ts'
import { markReport } from './mark.ts'
import {
  figure,
  flag,
  momentOrNull,
  requirements,
  textOrNull,
  texts,
  whole,
  wholeOrNull,
} from './values.ts'

export const verdict = z
  .object({
    kind: z.string().openapi({ example: 'cpu' }),
    sentence: z.string(),
  })
  .openapi('Verdict', { description: 'what held it back' })

const each = (names: readonly string[], schema: z.ZodType) =>
  Object.fromEntries(names.map((name) => [name, schema]))

const usageWords = usageNames.map(([, name]) => name)
const usage = z
  .object(each(usageWords, figure))
  .catchall(figure)
  .openapi('Usage', { description: 'what it used; null: not measured' })
const reasons = z.record(z.string(), z.string())

const cardStats = z.object({
  gpu_utilization_percent: figure,
  memory_utilization_percent: figure,
  memory_used_mb: figure,
  memory_total_mb: figure,
  temperature_celsius: figure,
})

const detailedProfile = z
  .object({
    duration_seconds: figure,
    samples_collected: whole,
    sampling_interval_seconds: z.number(),
    cpu: z.object(each(['mean_percent', 'max_percent', 'min_percent'], figure)),
    memory: z.object(each(['mean_used_mb', 'max_used_mb', 'min_used_mb'], figure)),
    process_cpu: z.object(each(['mean_percent', 'max_percent'], figure)),
    process_memory: z.object(each(['mean_mb', 'max_mb', 'min_mb'], figure)),
    io_stats: z.object(
      each(['read_mb', 'write_mb', 'read_count', 'write_count', 'total_io_mb'], figure),
    ),
    gpu_stats: z.object({
      nvidia: cardStats.optional(),
      amd: cardStats.optional(),
      intel: z.object({ render_busy_percent: figure, available: z.literal(true) }).optional(),
    }),
    container_stats: z.object({
      cpu_percent: textOrNull.optional(),
      memory_usage: textOrNull.optional(),
      memory_percent: textOrNull.optional(),
      net_io: textOrNull.optional(),
      block_io: textOrNull.optional(),
    }),
  })
  .openapi('DetailedProfile')

const cardNames = Object.keys(cardFigures).map((key) =>
  usageName(`${key[0]?.toLowerCase()}${key.slice(1)}`),
)
const card = z
  .object({
    index: whole,
    vendor: z.enum(gpuVendors),
    name: z.string(),
    id: z.string(),
    ...each(cardNames, figure),
  })
  .openapi('Card', { description: 'a GPU that it used, and what was measured of it' })

/** The keys of `jobmeter show --format json`: those of `jobs_history.jsonl` first. */
export const jobRecordKeys = {
  task_id: z.string(),
  tool: z.string(),
  script: textOrNull,
  params: z.record(z.string(), z.unknown()),
  start_time: momentOrNull,
  end_time: momentOrNull,
  duration_seconds: figure,
  status: attemptStatus,
  returncode: wholeOrNull,
  resource_usage: z.object(
    each(['cpu_user_seconds', 'cpu_system_seconds', 'cpu_total_seconds', 'memory_peak_mb'], figure),
  ),
  detailed_profile: detailedProfile.nullable(),
  error: textOrNull,
  has_result: flag,
  job_id: wholeOrNull,
  attempt: whole,
  name: z.string(),
  command: texts,
  tags: texts,
  working_directory: z.string(),
  signal: textOrNull,
  reason: textOrNull,
  host: z.string(),
  cores: whole,
  machine_memory_bytes: figure,
  user: z.string(),
  requirements,
  stragglers: z.array(z.object({ pid: whole, command: z.string() })),
  usage,
  basis: reasons.openapi({ description: 'how each measured figure was obtained' }),
  unmeasured: reasons.openapi({ description: 'why each missing figure is missing' }),
  bound_by: verdict,
  samples: z.object({
    collected: whole,
    interval_seconds: figure,
    late: whole,
    own_cpu_seconds: figure,
  }),
  gpus: z.array(card),
} as const

export const jobRecord = z
  .object({
    ...jobRecordKeys,
    workflow_id: wholeOrNull.openapi({ description: 'null for a single command' }),
    run_id: wholeOrNull.openapi({ description: 'the run of the workflow that it is of' }),
    marks: markReport.optional(),
  })
  .openapi('JobRecord', {
    description: 'everything that is known about one attempt: see docs/record.md',
  })
