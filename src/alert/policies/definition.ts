import * as z from 'zod'
import { severities } from '../../model/alert.ts'
import { jobKinds } from '../../model/node-round.ts'
import { policyScopes, spareResources } from '../../model/policy.ts'
import { duration, durationOrNone } from '../../workflow/spec/definition-values.ts'

const word = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i, {
  error: 'must be a word of letters, digits, ".", "_" and "-"',
})
const words = z.array(word).max(1000)
const line = z.string().regex(/^\P{Cc}{1,200}$/u, { error: 'must be one line of text' })
const text = z.string().min(1).max(2000)
const names = z.array(z.string().min(1).max(256)).max(1000)
const share = z.number().min(0).max(1)

/** A number, or with its unit: `10%`, `2h`, `20g`. What it is depends on the figure. */
const amount = z.union([z.number(), z.string().min(1).max(40)])

const bounds = z
  .strictObject({
    at_least: amount.optional(),
    at_most: amount.optional(),
    above: amount.optional(),
    below: amount.optional(),
  })
  .refine((given) => Object.keys(given).length > 0, {
    message: 'needs at_least, at_most, above or below',
  })

const exempt = z.strictObject({
  users: names.optional(),
  commands: names.optional(),
  accounts: names.optional(),
  kinds: z.array(z.enum(jobKinds)).optional(),
})

const policy = z.strictObject({
  name: word,
  enabled: z.boolean().optional(),
  scope: z.enum(policyScopes).optional(),
  severity: z.enum(severities).optional(),
  says: line.optional(),
  explanation: text.optional(),
  advice: text.optional(),
  when: z.record(z.string(), bounds).optional(),
  for: durationOrNone.optional(),
  over: duration.optional(),
  unless_idle: z
    .union([
      z.literal(false),
      z.strictObject({
        resource: z.enum(spareResources).optional(),
        of_rest: share.optional(),
        of_node: share.optional(),
      }),
    ])
    .optional(),
  exempt: exempt.optional(),
  channels: words.optional(),
})

/** The file `policies.yaml`. */
export const policyFile = z.strictObject({
  shipped: z.boolean().optional(),
  alerts: line.optional(),
  tell: z
    .strictObject({
      administrators: words.optional(),
      users: words.optional(),
      resolved: z.boolean().optional(),
    })
    .optional(),
  exempt: exempt.optional(),
  policies: z.array(policy).max(200).optional(),
})

export type WrittenBounds = z.infer<typeof bounds>
export type WrittenPolicy = z.infer<typeof policy>
export type WrittenPolicies = z.infer<typeof policyFile>
