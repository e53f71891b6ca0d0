import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Served, ServerEnv } from '../served.ts'
import { alertRoutes } from './alerts.ts'
import { analysisRoutes } from './analyses.ts'
import { documentRoutes } from './document.ts'
import { eventRoutes } from './events.ts'
import { healthRoutes } from './health.ts'
import { jobActionRoutes } from './jobs/actions.ts'
import { jobListRoutes } from './jobs/list.ts'
import { jobLogRoutes } from './jobs/logs.ts'
import { jobRecordRoutes } from './jobs/record.ts'
import { jobSeriesRoutes } from './jobs/series.ts'
import { meRoutes } from './me.ts'
import { curveRoutes } from './nodes/curves.ts'
import { metricsRoutes } from './metrics.ts'
import { nodeRoutes } from './nodes/nodes.ts'
import { policyRoutes } from './nodes/policies.ts'
import { usageRoutes } from './nodes/usage.ts'
import { workflowActionRoutes } from './workflows/actions.ts'
import { workflowReadRoutes } from './workflows/read.ts'
import { workflowReportRoutes } from './workflows/reports.ts'

/** In the order in which the document has them. */
const parts = [
  meRoutes,
  jobListRoutes,
  jobActionRoutes,
  jobRecordRoutes,
  jobSeriesRoutes,
  jobLogRoutes,
  workflowReadRoutes,
  workflowReportRoutes,
  workflowActionRoutes,
  eventRoutes,
  analysisRoutes,
  nodeRoutes,
  curveRoutes,
  usageRoutes,
  policyRoutes,
  alertRoutes,
  healthRoutes,
  metricsRoutes,
  documentRoutes,
]

export function addRoutes(api: OpenAPIHono<ServerEnv>, served: Served): void {
  for (const add of parts) add(api, served)
}
