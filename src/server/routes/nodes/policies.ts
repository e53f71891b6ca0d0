import type { OpenAPIHono } from '@hono/zod-openapi'
import { hogsJson } from '../../../render/policies/hogs.ts'
import { policyJson } from '../../../render/policies/policies-text.ts'
import { findHogs } from '../../../service/nodes/find-hogs.ts'
import { loadPolicies } from '../../../service/policies/policy-file.ts'
import { askNode } from '../../access/visible-node.ts'
import { hogs, policies } from '../../schemas/policy.ts'
import type { Served, ServerEnv } from '../../served.ts'
import { operation, serve } from '../operation.ts'
import { names, spanIn } from '../query.ts'
import { ownFile } from '../own-file.ts'
import { span, whose } from './filters.ts'

const listHogs = operation({
  id: 'listHogs',
  path: '/api/v1/hogs',
  tag: 'Nodes',
  summary: 'Who broke a policy: jobs and users that were not fair to others',
  query: { ...span, policy: names('only by this policy'), user: whose.user, host: whose.host },
  answer: hogs,
})

const listPolicies = operation({
  id: 'listPolicies',
  path: '/api/v1/policies',
  tag: 'Nodes',
  summary: 'All policies, and whether they are switched on',
  answer: policies,
})

const usualDays = 7

export function policyRoutes(api: OpenAPIHono<ServerEnv>, served: Served): void {
  const { system } = served
  serve(api, listHogs, ({ query, viewer }) =>
    askNode<object>(
      served,
      viewer,
      async (node) => {
        const { violations, notJudged } = await findHogs(node, {
          policies: query.policy ?? [],
          users: query.user ?? [],
          hosts: query.host ?? [],
          ...spanIn(query, system.clock.wallSeconds(), usualDays),
        })
        return { ...hogsJson(violations, notJudged), why_none: null }
      },
      (why) => ({ violations: [], suppressed: [], not_judged: [], why_none: why }),
    ),
  )
  serve(api, listPolicies, async () => {
    const { path, policies: all } = await ownFile(() => loadPolicies(system, undefined))
    return { file: path, policies: all.map(policyJson) }
  })
}
