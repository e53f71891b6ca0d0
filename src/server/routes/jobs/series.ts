import { z, type OpenAPIHono } from '@hono/zod-openapi'
import { markJson } from '../../../render/marks/marks-json.ts'
import { visibleLedger } from '../../access/visible-ledger.ts'
import { csvAnswer } from '../../stream/csv-answer.ts'
import { jobChart } from '../../schemas/chart.ts'
import { marks } from '../../schemas/mark.ts'
import { devices, samples } from '../../schemas/series.ts'
import type { Served, ServerEnv } from '../../served.ts'
import { operation, serve } from '../operation.ts'
import { Problem } from '../../problem.ts'
import { given } from '../given.ts'
import { yesOrNo } from '../query.ts'
import { longAnswer } from './long-answer.ts'
import { findTask, task } from './task.ts'

const seconds = (description: string) =>
  z.coerce.number().min(0).max(1e10).optional().openapi({ description })

const points = (usual: number) =>
  z.coerce.number().int().min(2).max(20_000).default(usual).openapi({
    description: 'about so many points; each step of time keeps its least and greatest',
  })

const range = {
  from: seconds('from then on, in seconds since the job started'),
  to: seconds('up to then, in seconds since the job started'),
} as const

const getSamples = operation({
  id: 'getSamples',
  path: '/api/v1/jobs/{task_id}/samples',
  tag: 'Jobs',
  summary: 'The samples of an attempt, in columns',
  params: task,
  query: {
    ...range,
    points: points(1000),
    raw: yesOrNo('every sample, however many'),
    format: z
      .enum(['json', 'csv'])
      .default('json')
      .openapi({ description: 'csv has every sample of the time asked for' }),
  },
  answer: samples,
  others: {
    200: {
      description: 'The samples.',
      content: {
        'application/json': { schema: samples },
        'text/csv': { schema: z.string() },
      },
    },
  },
})

const getDevices = operation({
  id: 'getDevices',
  path: '/api/v1/jobs/{task_id}/devices',
  tag: 'Jobs',
  summary: 'The samples of the devices that an attempt used, in columns',
  params: task,
  query: { ...range, points: points(1000), raw: yesOrNo('every sample, however many') },
  answer: devices,
})

const getMarks = operation({
  id: 'getMarks',
  path: '/api/v1/jobs/{task_id}/marks',
  tag: 'Jobs',
  summary: 'What the program of a job told of itself while it ran',
  params: task,
  answer: marks,
})

const getChart = operation({
  id: 'getChart',
  path: '/api/v1/jobs/{task_id}/chart',
  tag: 'Jobs',
  summary: 'A job over time, as its charts draw it',
  params: task,
  query: { ...range, points: points(1000) },
  answer: jobChart,
})

function rangeIn({
  from,
  to,
}: {
  readonly from?: number | undefined
  readonly to?: number | undefined
}) {
  if (from !== undefined && to !== undefined && to < from)
    throw new Problem(400, 'to: it must not be before from')
  return given({ fromSeconds: from, toSeconds: to })
}

const partIn = (query: Parameters<typeof rangeIn>[0] & { raw: boolean; points: number }) => ({
  range: rangeIn(query),
  points: query.raw ? null : query.points,
})

export function jobSeriesRoutes(api: OpenAPIHono<ServerEnv>, served: Served): void {
  const { ledger, system } = served
  serve(api, getSamples, async ({ params, query, viewer }) => {
    const reader = visibleLedger(ledger, viewer)
    const record = await findTask(reader, params, served)
    if (query.format === 'csv')
      return csvAnswer(reader, record, rangeIn(query), system.clock.wallSeconds())
    return longAnswer(served, viewer, record, { what: 'samples', ...partIn(query) })
  })
  serve(api, getDevices, async ({ params, query, viewer }) => {
    const reader = visibleLedger(ledger, viewer)
    const record = await findTask(reader, params, served)
    return longAnswer(served, viewer, record, { what: 'devices', ...partIn(query) })
  })
  serve(api, getMarks, async ({ params, viewer }) => {
    const reader = visibleLedger(ledger, viewer)
    const { taskId } = await findTask(reader, params, served)
    return { task_id: taskId, marks: (await reader.jobs.marks(taskId)).map(markJson) }
  })
  serve(api, getChart, async ({ params, query, viewer }) => {
    const reader = visibleLedger(ledger, viewer)
    const record = await findTask(reader, params, served)
    const { points: most } = query
    return longAnswer(served, viewer, record, {
      what: 'chart',
      range: rangeIn(query),
      points: most,
    })
  })
}
