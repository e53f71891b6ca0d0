import { z, type OpenAPIHono } from '@hono/zod-openapi'
import { nodeCharts } from '../../../analysis/charts/node-charts.ts'
import { seenJobCharts } from '../../../analysis/charts/seen-job-charts.ts'
import { nextRequest } from '../../../analysis/node/next-request.ts'
import { seenJobJson } from '../../../render/node/jobs-json.ts'
import { nextRequestJson } from '../../../render/node/next-request.ts'
import { uptimeJson } from '../../../render/node/uptime.ts'
import { wallJson } from '../../../render/node/wall-json.ts'
import { nodeUptimes } from '../../../service/nodes/node-uptimes.ts'
import { findSeenJob } from '../../../service/seen-jobs.ts'
import { UserError } from '../../../service/user-error.ts'
import { askNode } from '../../access/visible-node.ts'
import { Problem } from '../../problem.ts'
import { jobChart } from '../../schemas/chart.ts'
import { nodeJobDetails, nodeUptime, nodeWall } from '../../schemas/node-curve.ts'
import type { Served, ServerEnv } from '../../served.ts'
import { operation, serve } from '../operation.ts'
import { limit, spanIn } from '../query.ts'
import { span, whose } from './filters.ts'

const points = (most: number, usual: number) =>
  z.coerce.number().int().min(1).max(most).default(usual).openapi({
    description: 'about so many steps of time',
  })

const host = { host: z.string().min(1).max(200).openapi({ example: 'node01' }) }

const listNodeCurves = operation({
  id: 'listNodeCurves',
  path: '/api/v1/node-curves',
  tag: 'Nodes',
  summary: 'Every node over time in few steps, for a wall of small charts',
  query: { ...span, host: whose.host, points: points(500, 96), limit: limit(10_000, 10_000) },
  answer: nodeWall,
})

const getNodeChart = operation({
  id: 'getNodeChart',
  path: '/api/v1/nodes/{host}/chart',
  tag: 'Nodes',
  summary: 'One node over time, as charts draw it; its time begins with what was asked for',
  params: host,
  query: { ...span, points: points(20_000, 1500) },
  answer: jobChart,
})

const getNodeUptime = operation({
  id: 'getNodeUptime',
  path: '/api/v1/nodes/{host}/uptime',
  tag: 'Nodes',
  summary: 'When a node was looked at, the gaps in between, and why they are there',
  params: host,
  query: span,
  answer: nodeUptime,
})

const getNodeJob = operation({
  id: 'getNodeJob',
  path: '/api/v1/node-jobs/{job}',
  tag: 'Nodes',
  summary:
    'One job that the agent of a node saw: its figures, its curves, and what to ask for next time',
  params: {
    job: z.string().min(1).max(400).openapi({ example: 'slurm:4711@node01' }),
  },
  query: { points: points(20_000, 1500) },
  answer: nodeJobDetails,
})

const usualDays = 1
const shortestGapSeconds = 120

export function curveRoutes(api: OpenAPIHono<ServerEnv>, served: Served): void {
  const now = (): number => served.system.clock.wallSeconds()
  serve(api, listNodeCurves, ({ query, viewer }) => {
    const asked = spanIn(query, now(), usualDays)
    return askNode<object>(
      served,
      viewer,
      async (node) => ({
        ...wallJson(
          await node.wall({
            ...asked,
            steps: query.points,
            hosts: query.host ?? [],
            limit: query.limit,
          }),
        ),
        why_none: null,
      }),
      (why) => ({ from: asked.from, step_seconds: 0, nodes: [], why_none: why }),
    )
  })
  serve(api, getNodeChart, ({ params, query, viewer }) => {
    const asked = { ...spanIn(query, now(), usualDays), host: params.host }
    return askNode<object>(
      served,
      viewer,
      async (node) => nodeCharts(await node.hostCurve(asked), { ...asked, points: query.points }),
      never,
    )
  })
  serve(api, getNodeUptime, async ({ params, query, viewer }) => {
    const { from, to } = spanIn(query, now(), usualDays)
    const asked = { from, to: Math.min(now(), to), shortestGap: shortestGapSeconds }
    const [uptime] = await askNode(
      served,
      viewer,
      async (node) => uptimeJson(await nodeUptimes(node, asked, [params.host])),
      never,
    )
    if (uptime === undefined) throw new Problem(404, 'Nobody looked at this node in that time.')
    return uptime
  })
  serve(api, getNodeJob, ({ params, query, viewer }) =>
    askNode<object>(
      served,
      viewer,
      async (node) => {
        const { job, series } = await found(() => findSeenJob(node, params.job))
        return {
          job: seenJobJson(job),
          chart: seenJobCharts(job, series, query.points),
          next_request: nextRequestJson(nextRequest(job, series.rounds)),
          known_by: series.kind,
        }
      },
      never,
    ),
  )
}

const never = (why: string): never => {
  throw new Problem(404, why)
}

async function found<T>(find: () => Promise<T>): Promise<T> {
  try {
    return await find()
  } catch (error) {
    // The name is left out, so that what is somebody else's reads like what is not there.
    if (error instanceof UserError)
      throw new Problem(
        404,
        'No agent saw a job of this name, or several hosts had one: name it as slurm:4711@node01.',
      )
    throw error
  }
}
