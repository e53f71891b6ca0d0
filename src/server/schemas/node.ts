import { z } from '@hono/zod-openapi'
import { reservationKeys } from '../../analysis/node/reservation-use.ts'
import { jobKinds } from '../../model/node-round.ts'
import { usageKeys, usageMetrics } from '../../model/node-usage.ts'
import { figure, flag, momentOrNull, textOrNull, whole, wholeOrNull } from './values.ts'

const nodeFigures = z.object({
  busy_cores: figure,
  load: figure,
  memory_bytes: figure,
  swap_bytes: figure,
  io_wait_cores: figure,
  processes: figure,
  threads: figure,
  zombies: figure,
})
const deviceFigures = z.object({
  in_bytes_per_second: figure,
  out_bytes_per_second: figure,
  busy_share: figure,
  watts: figure,
  memory_bytes: figure,
})

/** As `jobmeter nodes --format json`. */
export const nodeState = z
  .object({
    host: z.string(),
    epoch: textOrNull,
    at: momentOrNull,
    seconds: z.number(),
    cores: figure,
    memory_total_bytes: figure,
    gpus: figure,
    gpu_memory_total_bytes: figure,
    latest: nodeFigures,
    peak: nodeFigures.nullable(),
    core_shares: z.array(z.object({ latest: z.number(), peak: z.number() })),
    devices: z.array(
      z.object({
        kind: z.enum(['disk', 'interface', 'gpu']),
        name: z.string(),
        is_there: flag,
        latest: deviceFigures,
        peak: deviceFigures.nullable(),
      }),
    ),
  })
  .openapi('Node', { description: 'a node at its last round, and the most that any round had' })
const whyNone = textOrNull.openapi({ description: 'why there is nothing, and what to do' })
export const nodes = z.object({ nodes: z.array(nodeState), why_none: whyNone }).openapi('Nodes')

const request = z.object({
  cpus: figure,
  memory_bytes: figure,
  gpus: figure,
  runtime_seconds: figure,
  source: z.enum(['slurm', 'container', 'jobmeter', 'implied']),
})

/** As `jobmeter ps --format json`. */
export const nodeJob = z
  .object({
    job: z.string(),
    row: whole,
    kind: z.enum(jobKinds),
    id: z.string(),
    host: z.string(),
    epoch: z.string(),
    user: z.string(),
    account: textOrNull,
    command: z.string(),
    job_name: textOrNull,
    shown_id: textOrNull,
    restarts: wholeOrNull,
    pid: wholeOrNull,
    state: z.enum(['running', 'completed']).nullable(),
    started_at: momentOrNull,
    first_seen: momentOrNull,
    last_seen: momentOrNull,
    runtime_seconds: figure,
    seen_seconds: figure,
    cpu_seconds: figure,
    cpu_mean_cores: figure,
    cpu_peak_cores: figure,
    cpu_of_node: figure,
    cpu_of_request: figure,
    memory_mean_bytes: figure,
    memory_peak_bytes: figure,
    memory_of_node: figure,
    memory_of_request: figure,
    gpus: figure,
    gpu_seconds: figure,
    gpu_of_node: figure,
    gpu_of_request: figure,
    gpu_memory_mean_bytes: figure,
    gpu_memory_peak_bytes: figure,
    read_bytes: figure,
    write_bytes: figure,
    energy_joules: figure,
    processes_peak: figure,
    threads_peak: figure,
    zombies_peak: figure,
    node_cores: figure,
    node_memory_bytes: figure,
    node_gpus: figure,
    request: request.nullable(),
  })
  .openapi('NodeJob', { description: 'a job that the agent of a node saw' })
export const nodeJobs = z
  .object({
    jobs: z.array(nodeJob),
    why_none: whyNone,
  })
  .openapi('NodeJobs')

/** As `jobmeter usage --format json`. */
export const usage = z
  .object({
    by: z.array(z.enum(usageKeys)),
    metric: z.enum(usageMetrics),
    unit: z.string(),
    total: figure,
    capacity: figure,
    rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))).openapi({
      description:
        'the keys that were asked for, the amount by the name of its unit, capacity and of_capacity',
    }),
    why_none: whyNone,
  })
  .openapi('NodeUsage')

const byHour = z.array(figure)
const seconds = z.array(z.number())

/** The same as `HeatData`. */
export const usageHeat = z
  .object({
    metric: z.enum(usageMetrics),
    by: z.enum(usageKeys).nullable(),
    facts: z.array(z.tuple([z.string(), z.string()])),
    made: z.string(),
    observedSeconds: seconds,
    capacity: byHour,
    amounts: byHour,
    parts: z.array(
      z.object({
        name: z.string(),
        amounts: byHour,
        observedSeconds: seconds.optional(),
        capacity: byHour.optional(),
      }),
    ),
    leftOut: whole,
    why_none: whyNone,
  })
  .openapi('UsageHeat', {
    description:
      'how full each hour of the week was, Monday at midnight first, as a heat map draws it',
  })

const reservation = z.object({
  name: textOrNull.openapi({ description: 'the user, account, host or job' }),
  user: textOrNull.openapi({ description: 'whose they all are' }),
  command: textOrNull,
  jobs: whole,
  reserved_core_seconds: z.number(),
  used_core_seconds: z.number(),
  cpu_share: figure,
  reserved_byte_seconds: z.number(),
  used_byte_seconds: z.number(),
  memory_share: figure,
  reserved_gpu_seconds: z.number(),
  used_gpu_seconds: z.number(),
  gpu_share: figure,
})

export const reservations = z
  .object({
    by: z.enum(reservationKeys),
    rows: z
      .array(reservation)
      .openapi({ description: 'who left most cores unused first; only what was measured counts' }),
    idle_gpus: z.array(
      z.object({
        host: z.string(),
        user: z.string(),
        job: z.string(),
        command: z.string(),
        gpus: z.number(),
        share: z.number(),
        seen_seconds: z.number(),
        is_running: flag,
        last_seen: momentOrNull,
      }),
    ),
    to_talk_to: z.array(
      z.object({
        user: z.string(),
        unused_core_seconds: z.number(),
        unused_gpu_seconds: z.number(),
        idle_gpus: z.number(),
        violations: whole,
        use: reservation.nullable(),
      }),
    ),
    why_none: whyNone,
  })
  .openapi('Reservations', { description: 'what jobs reserved, and what of it they used' })

export type NodeState = z.infer<typeof nodeState>
export type NodeJobs = z.infer<typeof nodeJobs>
export type UsageHeat = z.infer<typeof usageHeat>
export type NodeUsage = z.infer<typeof usage>
export type Reservations = z.infer<typeof reservations>
