import { z } from '@hono/zod-openapi'
import { alertScopes, severities } from '../../model/alert.ts'
import { figure, momentOrNull, textOrNull, texts, whole } from './values.ts'

/** As `jobmeter alerts list --format json`. */
export const alert = z
  .object({
    alert_id: z.string(),
    status: z.enum(['firing', 'resolved']),
    rule: z.string(),
    severity: z.enum(severities),
    text: z.string(),
    metric: z.string(),
    value: figure,
    threshold: figure,
    host: z.string(),
    job_name: textOrNull,
    task_id: z.string(),
    gpu: textOrNull,
    fired_at: momentOrNull,
    resolved_at: momentOrNull,
    resolved_because: textOrNull,
    acknowledged_at: momentOrNull,
    acknowledged_by: textOrNull,
    deliveries: z.array(
      z.object({
        channel: z.string(),
        kind: z.enum(['firing', 'resolved']),
        state: z.enum(['waiting', 'delivered', 'given up']),
        attempts: whole,
        last_error: textOrNull,
      }),
    ),
  })
  .openapi('Alert')
export const alerts = z.object({ alerts: z.array(alert) }).openapi('Alerts')

const rule = z
  .object({
    name: z.string(),
    says: z.string(),
    severity: z.enum(severities),
    scope: z.enum(alertScopes),
    at: z.enum(['look', 'end']),
    metric: z.string(),
    condition: z.string(),
    threshold: figure,
    for_seconds: z.number(),
    clear_for_seconds: z.number(),
    channels: texts.nullable(),
  })
  .openapi('AlertRule')

/** As `jobmeter alerts rules --format json`. */
export const alertRules = z.object({ file: textOrNull, rules: z.array(rule) }).openapi('AlertRules')

export type Alerts = z.infer<typeof alerts>
export type AlertRules = z.infer<typeof alertRules>
