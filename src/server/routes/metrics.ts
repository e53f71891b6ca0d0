import { z, type OpenAPIHono } from '@hono/zod-openapi'
import { metricsText } from '../../render/metrics/metrics-text.ts'
import { metricsContentType, metricsFormat } from '../../render/metrics/negotiate.ts'
import type { Served, ServerEnv } from '../served.ts'
import { operation, serve } from './operation.ts'

const text = { schema: z.string() }

const getMetrics = operation({
  id: 'getMetrics',
  path: '/metrics',
  tag: 'Server',
  summary: 'Nodes, jobs, workflows, alerts and the server itself, for Prometheus',
  description:
    'In OpenMetrics for who asks for that (`Accept`), else in the older text format. It tells of the jobs of all users.',
  others: {
    200: {
      description: 'The metrics.',
      content: { 'application/openmetrics-text': text, 'text/plain': text },
    },
  },
})

export function metricsRoutes(api: OpenAPIHono<ServerEnv>, { metrics, own }: Served): void {
  serve(api, getMetrics, async ({ context }) => {
    const format = metricsFormat(context.req.header('accept'))
    const told = metricsText(await metrics.gather(), own.taken(), format)
    return new Response(told, { headers: { 'content-type': metricsContentType[format] } })
  })
}
