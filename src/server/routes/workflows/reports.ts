import { z, type OpenAPIHono } from '@hono/zod-openapi'
import { reportData } from '../../../render/page/report-data.ts'
import { reportSource } from '../../../render/page/report-words.ts'
import { recommendationJson } from '../../../render/reports/recommend/json.ts'
import { utilizationJson } from '../../../render/reports/utilization/json.ts'
import { gatherWorkflow } from '../../../service/gather-report.ts'
import { recommendRequests } from '../../../service/reports/recommendation.ts'
import { utilizationReport } from '../../../service/reports/utilization.ts'
import { visibleLedger } from '../../access/visible-ledger.ts'
import { report } from '../../schemas/report.ts'
import { recommendations, utilization } from '../../schemas/requests.ts'
import type { Served, ServerEnv } from '../../served.ts'
import { operation, serve } from '../operation.ts'
import { yesOrNo } from '../query.ts'
import { findHead, findWhole, place, runAsked } from './place.ts'

const getUtilization = operation({
  id: 'getUtilization',
  path: '/api/v1/workflows/{workflow_id}/utilization',
  tag: 'Workflows',
  summary: 'Which jobs used more than they asked for',
  params: place,
  query: {
    run_id: runAsked,
    min_over_percent: z.coerce
      .number()
      .min(0)
      .max(1e6)
      .default(1)
      .openapi({ description: 'the least excess that counts' }),
    include_failed: yesOrNo('attempts that did not succeed, too'),
    all: yesOrNo('also what stayed within its request'),
  },
  answer: utilization,
})

const getRecommendations = operation({
  id: 'getRecommendations',
  path: '/api/v1/workflows/{workflow_id}/recommendations',
  tag: 'Workflows',
  summary: 'What each request of a workflow should be',
  params: place,
  query: {
    runs: z.coerce
      .number()
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .openapi({ description: 'only by the newest so many runs' }),
  },
  answer: recommendations,
})

const getWorkflowReport = operation({
  id: 'getWorkflowReport',
  path: '/api/v1/workflows/{workflow_id}/report',
  tag: 'Workflows',
  summary: 'What the page of `jobmeter report` about a workflow is drawn from',
  params: place,
  answer: report,
})

export function workflowReportRoutes(api: OpenAPIHono<ServerEnv>, served: Served): void {
  const { ledger, system, version } = served
  serve(api, getUtilization, async ({ params, query, viewer }) => {
    const reader = visibleLedger(ledger, viewer)
    const found = await utilizationReport(reader, await findHead(reader, params), {
      runId: query.run_id,
      minOverPercent: query.min_over_percent,
      includeFailed: query.include_failed,
    })
    return utilizationJson(found, { all: query.all })
  })
  serve(api, getRecommendations, async ({ params, query, viewer }) => {
    const reader = visibleLedger(ledger, viewer)
    const stored = await findWhole(reader, params)
    return recommendationJson(await recommendRequests(reader, stored, query.runs ?? Infinity))
  })
  serve(api, getWorkflowReport, async ({ params, viewer }) => {
    const reader = visibleLedger(ledger, viewer)
    const gathered = await gatherWorkflow(system, reader, await findWhole(reader, params))
    return reportData(reportSource(gathered, { zone: 'local', version }))
  })
}
