import { z } from '@hono/zod-openapi'
import { severities } from '../../model/alert.ts'
import { jobKinds } from '../../model/node-round.ts'
import { policyScopes, spareResources } from '../../model/policy.ts'
import { flag, momentOrNull, textOrNull, texts } from './values.ts'

const violation = z
  .object({
    policy: z.string(),
    severity: z.enum(severities),
    state: z.enum(['open', 'resolved', 'suppressed']),
    host: z.string(),
    user: z.string(),
    account: textOrNull,
    job_kind: z.enum(jobKinds).nullable(),
    job_id: textOrNull,
    command: textOrNull,
    first_seen: momentOrNull,
    last_seen: momentOrNull,
    held_seconds: z.number(),
    reported_at: momentOrNull,
    resolved_at: momentOrNull,
    resolved_because: textOrNull,
    found: z.string(),
    suppressed_because: textOrNull,
  })
  .openapi('Violation')

/** As `jobmeter hogs --format json`. */
export const hogs = z
  .object({
    violations: z.array(violation),
    suppressed: z.array(violation).openapi({ description: 'what harmed nobody, and why' }),
    not_judged: z.array(z.object({ host: z.string(), policy: textOrNull, why: z.string() })),
    why_none: textOrNull,
  })
  .openapi('Hogs', { description: 'who broke a policy' })

const condition = z.object({
  figure: z.string(),
  at_least: z.number().optional(),
  at_most: z.number().optional(),
  above: z.number().optional(),
  below: z.number().optional(),
  unit: textOrNull,
})

const policy = z
  .object({
    name: z.string(),
    enabled: flag,
    scope: z.enum(policyScopes),
    severity: z.enum(severities),
    says: z.string(),
    explanation: z.string(),
    advice: z.string(),
    conditions: z.array(condition),
    for_seconds: z.number(),
    over_seconds: z.number().nullable(),
    unless_idle: z
      .object({ resource: z.enum(spareResources), of_rest: z.number(), of_node: z.number() })
      .nullable(),
    exempt: z.object({
      users: texts,
      commands: texts,
      accounts: texts,
      kinds: z.array(z.enum(jobKinds)),
    }),
    channels: texts.nullable(),
  })
  .openapi('Policy')

/** As `jobmeter policies list --format json`. */
export const policies = z
  .object({ file: textOrNull, policies: z.array(policy) })
  .openapi('Policies')

export type Hogs = z.infer<typeof hogs>
export type Policies = z.infer<typeof policies>
