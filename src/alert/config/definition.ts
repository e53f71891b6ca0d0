import * as z from 'zod'
import { alertScopes, severities } from '../../model/alert.ts'
import { longestExpression } from '../expression/tokens.ts'
import { duration, durationOrNone } from '../../workflow/spec/definition-values.ts'

const word = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i, {
  error: 'must be a word of letters, digits, ".", "_" and "-"',
})
const line = z.string().regex(/^\P{Cc}{1,200}$/u, { error: 'must be one line of text' })
const expression = z.string().min(1).max(longestExpression)
const words = z.array(word).min(1).max(100)

const rule = z.strictObject({
  name: word,
  enabled: z.boolean().optional(),
  says: line.optional(),
  severity: z.enum(severities).optional(),
  scope: z.enum(alertScopes).optional(),
  at: z.enum(['look', 'end']).optional(),
  metric: expression.optional(),
  when: expression.optional(),
  above: z.number().optional(),
  below: z.number().optional(),
  clear: z.number().optional(),
  unusual: z
    .strictObject({
      direction: z.enum(['above', 'below', 'either']).optional(),
      deviations: z.number().min(1).max(1000).optional(),
      figure: expression.optional(),
      least_runs: z.number().int().min(3).max(100).optional(),
      window: duration.optional(),
    })
    .optional(),
  for: durationOrNone.optional(),
  clear_for: durationOrNone.optional(),
  channels: words.optional(),
})

const channelTypes = ['console', 'file', 'webhook', 'slack', 'teams', 'email'] as const

const variable = z.string().regex(/^[A-Za-z_]\w*$/, {
  error: 'must be the name of an environment variable',
})
const path = line
const address = z.string().regex(/^[^\s,;<>"]+@[^\s,;<>"]+$/, {
  error: 'must be an address, as in ops@example.org',
})

const channel = z.strictObject({
  name: word,
  type: z.enum(channelTypes),
  severity: z.enum(severities).optional(),
  rules: words.optional(),
  url_env: variable.optional(),
  url_file: path.optional(),
  secret_env: variable.optional(),
  secret_file: path.optional(),
  path: path.optional(),
  host: line.optional(),
  port: z.number().int().min(1).max(65_535).optional(),
  security: z.enum(['starttls', 'tls', 'none']).optional(),
  user: line.optional(),
  password_env: variable.optional(),
  password_file: path.optional(),
  from: address.optional(),
  to: z.union([address, z.array(address).min(1).max(50)]).optional(),
  timeout: duration.optional(),
  group_wait: durationOrNone.optional(),
  rate_limit: z
    .strictObject({ messages: z.number().int().min(1).max(10_000), per: duration })
    .optional(),
  retry: z
    .strictObject({
      first: duration.optional(),
      longest: duration.optional(),
      give_up: duration.optional(),
    })
    .optional(),
})

/** The file `alerts.yaml`. */
export const alertFile = z.strictObject({
  shipped: z.boolean().optional(),
  rules: z.array(rule).max(500).optional(),
  channels: z.array(channel).max(50).optional(),
})

export type WrittenRule = z.infer<typeof rule>
export type WrittenChannel = z.infer<typeof channel>
export type WrittenAlerts = z.infer<typeof alertFile>
