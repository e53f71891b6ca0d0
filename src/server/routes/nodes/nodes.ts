import { z, type OpenAPIHono } from '@hono/zod-openapi'
import { jobKinds } from '../../../model/node-round.ts'
import { seenJobJson } from '../../../render/node/jobs-json.ts'
import { statesJson } from '../../../render/node/states.ts'
import { emptyAnswer } from '../../../render/node/empty-answer.ts'
import { whyNothing } from '../../../service/nodes/why-nothing.ts'
import { jobOrders } from '../../../store/node/job-query.ts'
import { askNode } from '../../access/visible-node.ts'
import { Problem } from '../../problem.ts'
import { nodeJobs, nodes, nodeState } from '../../schemas/node.ts'
import type { Served, ServerEnv } from '../../served.ts'
import { operation, serve } from '../operation.ts'
import { limit, several, spanIn } from '../query.ts'
import { given } from '../given.ts'
import { span, whose, whoseIn } from './filters.ts'

const listNodes = operation({
  id: 'listNodes',
  path: '/api/v1/nodes',
  tag: 'Nodes',
  summary: 'Each node at its last round, and its peaks',
  query: { ...span, host: whose.host },
  answer: nodes,
})

const getNode = operation({
  id: 'getNode',
  path: '/api/v1/nodes/{host}',
  tag: 'Nodes',
  summary: 'One node at its last round, and its peaks',
  params: { host: z.string().min(1).max(200).openapi({ example: 'node01' }) },
  query: span,
  answer: nodeState,
})

const listNodeJobs = operation({
  id: 'listNodeJobs',
  path: '/api/v1/node-jobs',
  tag: 'Nodes',
  summary: 'Jobs that the agents of nodes saw, whoever started them',
  query: {
    ...span,
    ...whose,
    kind: several(z.enum(jobKinds), 'only of this kind'),
    state: z.enum(['running', 'completed']).optional(),
    pid: z.coerce
      .number()
      .int()
      .min(1)
      .max(2 ** 31)
      .optional()
      .openapi({ description: 'only the job of this process' }),
    min_runtime_seconds: z.coerce.number().min(0).max(1e9).optional(),
    order: z
      .enum(jobOrders)
      .default('seen')
      .openapi({ description: 'what to sort by, the most first' }),
    limit: limit(5000, 500),
  },
  answer: nodeJobs,
})

const usualDays = 1

export function nodeRoutes(api: OpenAPIHono<ServerEnv>, served: Served): void {
  const now = (): number => served.system.clock.wallSeconds()
  serve(api, listNodes, ({ query, viewer }) =>
    askNode<object>(
      served,
      viewer,
      async (node) => ({
        nodes: statesJson(
          await node.states({ ...spanIn(query, now(), usualDays), hosts: query.host ?? [] }),
        ),
        why_none: null,
      }),
      (why) => ({ nodes: [], why_none: why }),
    ),
  )
  serve(api, getNode, async ({ params: { host }, query, viewer }) => {
    const [state] = await askNode(
      served,
      viewer,
      async (node) =>
        statesJson(await node.states({ ...spanIn(query, now(), usualDays), hosts: [host] })),
      () => [],
    )
    if (state === undefined) throw new Problem(404, 'No node of this name was ever seen.')
    return state
  })
  serve(api, listNodeJobs, ({ query, viewer }) =>
    askNode<object>(
      served,
      viewer,
      async (node) => {
        const asked = { ...spanIn(query, now(), usualDays), ...whoseIn(query) }
        const jobs = await node.jobs({
          ...asked,
          ...given({
            kinds: query.kind,
            state: query.state,
            pid: query.pid,
            minRuntimeSeconds: query.min_runtime_seconds,
          }),
          order: query.order,
          limit: query.limit,
        })
        const why = jobs.length > 0 ? null : emptyAnswer(await whyNothing(node, asked), query.zone)
        return { jobs: jobs.map(seenJobJson), why_none: why?.trim() ?? null }
      },
      (why) => ({ jobs: [], why_none: why }),
    ),
  )
}
