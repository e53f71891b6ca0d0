import { z } from '@hono/zod-openapi'
import type { JobChartData } from '../../model/job-chart-data.ts'
import { jobChart } from './chart.ts'
import { nodeJob } from './node.ts'
import { figure, momentOrNull, textOrNull, whole } from './values.ts'

const curve = z.array(figure)

const walledNode = z.object({
  host: z.string(),
  at: momentOrNull,
  seconds: z.number(),
  cores: figure,
  memory_total_bytes: figure,
  gpus: figure,
  latest: z.object({
    busy_cores: figure,
    memory_bytes: figure,
    busy_gpus: figure,
    load: figure,
  }),
  cpu_percent: curve,
  memory_percent: curve,
  gpu_percent: curve,
  load_percent: curve,
})

export const nodeWall = z
  .object({
    from: z.number(),
    step_seconds: z.number(),
    nodes: z.array(walledNode),
    why_none: textOrNull,
  })
  .openapi('NodeCurves', {
    description:
      'each node at its last round, and a value for each step of time in percent of what it has; null where nobody looked',
  })

export const nodeUptime = z
  .object({
    host: z.string(),
    from: momentOrNull,
    to: momentOrNull,
    seen_seconds: z.number(),
    seen_share: figure,
    restarts: whole,
    gaps: z.array(
      z.object({
        from: momentOrNull,
        to: momentOrNull,
        seconds: z.number(),
        cause: z.enum(['agent-down', 'restarted', 'open', 'unknown']),
        booted_at: momentOrNull,
      }),
    ),
  })
  .openapi('NodeUptime')

export const nodeJobDetails = z
  .object({
    job: nodeJob,
    chart: jobChart,
    next_request: z.array(
      z.object({
        resource: z.enum(['cpus', 'memory', 'gpus', 'runtime']),
        used: z.number(),
        asked: figure,
        ask: z.number(),
        verdict: z.enum(['right', 'too-much', 'too-little', 'not-asked']),
      }),
    ),
    known_by: z
      .enum(['rounds', 'five minutes', 'hours'])
      .openapi({ description: 'how finely it is still known' }),
  })
  .openapi('NodeJobDetails')

export type NodeWall = z.infer<typeof nodeWall>
export type WalledNode = NodeWall['nodes'][number]
export type NodeUptime = z.infer<typeof nodeUptime>
/** What has no value is left out of a chart, never undefined. */
export type NodeJobDetails = Omit<z.infer<typeof nodeJobDetails>, 'chart'> & {
  readonly chart: JobChartData
}
