import { z, type OpenAPIHono } from '@hono/zod-openapi'
import { alertJson } from '../../render/alerts/alert-json.ts'
import { ruleJson } from '../../render/alerts/rule-list.ts'
import { acknowledgeAlert as acknowledge } from '../../service/alerts/acknowledge.ts'
import { listAlerts as readAlerts } from '../../service/alerts/list-alerts.ts'
import { listedRules } from '../../service/alerts/listed-rules.ts'
import { visibleAlerts } from '../access/visible-alerts.ts'
import { Problem } from '../problem.ts'
import type { Viewer } from '../access/viewer.ts'
import { alert, alertRules, alerts } from '../schemas/alert.ts'
import type { Served, ServerEnv } from '../served.ts'
import { operation, serve } from './operation.ts'
import { ownFile } from './own-file.ts'
import { limit, yesOrNo } from './query.ts'

const listAlerts = operation({
  id: 'listAlerts',
  path: '/api/v1/alerts',
  tag: 'Alerts',
  summary: 'Alerts that fire now, newest first',
  query: { all: yesOrNo('also those that are over, of the last 30 days'), limit: limit(1000, 100) },
  answer: alerts,
})

const listAlertRules = operation({
  id: 'listAlertRules',
  path: '/api/v1/alerts/rules',
  tag: 'Alerts',
  summary: 'The rules that apply',
  answer: alertRules,
})

const acknowledgeAlert = operation({
  id: 'acknowledgeAlert',
  method: 'post',
  path: '/api/v1/alerts/{alert_id}/acknowledge',
  tag: 'Alerts',
  summary: 'Says that somebody looks after an alert',
  params: { alert_id: z.string().regex(/^[\w-]{1,64}$/) },
  answer: alert,
})

/** More than anybody reads. */
const mostAlerts = 10_000

export function alertRoutes(api: OpenAPIHono<ServerEnv>, served: Served): void {
  const { system, ledger, environment } = served
  const seenBy = async (viewer: Viewer, all: boolean, most: number) =>
    (
      await visibleAlerts(
        ledger,
        viewer,
        readAlerts(system, ledger.path, { all, limit: mostAlerts }),
      )
    ).slice(0, most)
  serve(api, listAlerts, async ({ query, viewer }) => ({
    alerts: (await seenBy(viewer, query.all, query.limit)).map(alertJson),
  }))
  serve(api, listAlertRules, async () => {
    const { path, rules } = await ownFile(() => listedRules(system, environment))
    return { file: path, rules: rules.map(ruleJson) }
  })
  serve(api, acknowledgeAlert, async ({ params: { alert_id: alertId }, viewer }) => {
    const seen = await seenBy(viewer, false, mostAlerts)
    if (!seen.some((one) => one.alertId === alertId))
      throw new Problem(404, 'No alert that fires has this id.')
    return alertJson(acknowledge(system, ledger.path, { alertId, user: viewer.user }))
  })
}
