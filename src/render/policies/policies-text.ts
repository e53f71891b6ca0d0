import { conditionText, shortDuration } from '../../analysis/policies/finding-words.ts'
import { isFigureName, policyFigures } from '../../analysis/policies/figure-list.ts'
import type { Exemptions, Policy } from '../../model/policy.ts'
import { printable } from '../text/printable.ts'
import { table, type Column } from '../text/table.ts'

const columns: readonly Column[] = ['Policy', 'On', 'Judges', 'For', 'Says'].map((header) => ({
  header,
  align: 'left',
}))

const judges: Readonly<Record<Policy['scope'], string>> = {
  job: 'each job',
  user: 'each user',
  history: 'past jobs',
}

export function policyListText(policies: readonly Policy[], path: string | null): string {
  const rows = policies.map(({ name, isEnabled, scope, forSeconds, overSeconds, says }) => [
    name,
    isEnabled ? 'yes' : 'no',
    judges[scope],
    scope === 'history'
      ? `of ${shortDuration(overSeconds)}`
      : forSeconds === 0
        ? 'at once'
        : shortDuration(forSeconds),
    printable(says),
  ])
  const from = path === null ? 'These are the shipped ones.' : `From ${printable(path)}.`
  return `${table(columns, rows)}\n\n${from} \`jobmeter policies explain NAME\` tells more.\n`
}

/** All that a policy says, in plain words. */
export function policyText(policy: Policy): string {
  const { name, isEnabled, says, severity, explanation, advice, conditions } = policy
  const seen = new Set<string>()
  const meanings = conditions.flatMap(({ figure }) => {
    if (seen.has(figure) || !isFigureName(figure)) return []
    seen.add(figure)
    return [`  ${figure}: ${policyFigures[figure].says}`]
  })
  const parts = [
    `${name}: ${printable(says)} (${severity}, switched ${isEnabled ? 'on' : 'off'})`,
    '',
    printable(explanation),
    '',
    `It is broken when all of these hold${timeWords(policy)}:`,
    ...conditions.map((condition) => `  ${conditionText(condition)}`),
    '',
    'where',
    ...meanings,
    '',
    spareWords(policy),
    ...exemptWords(policy.exempt),
    `What the user should do: ${printable(advice)}`,
  ]
  return `${parts.join('\n')}\n`
}

function timeWords({ scope, forSeconds, overSeconds }: Policy): string {
  if (scope === 'history')
    return `, over the jobs of a user in the last ${shortDuration(overSeconds)}`
  const whose = scope === 'user' ? ' for all that a user does on a node' : ' for a job'
  return forSeconds === 0 ? whose : `${whose}, for ${shortDuration(forSeconds)} without a break`
}

const resources = {
  cores: 'cores',
  memory: 'memory',
  gpus: 'GPUs',
  all: 'cores, memory and GPUs',
} as const

function spareWords({ spare }: Policy): string {
  if (spare === null) return 'It is reported on an idle node too.'
  const percent = (share: number): string => `${Math.round(100 * share)} %`
  return `It is not reported while ${percent(spare.ofRest)} of what is left of the node, and ${percent(spare.ofNode)} of the whole node, is neither used nor reserved (of ${resources[spare.resource]}).`
}

function exemptWords({ users, commands, accounts, kinds }: Exemptions): string[] {
  const parts = [
    ...(users.length > 0 ? [`users ${users.join(', ')}`] : []),
    ...(commands.length > 0 ? [`commands ${commands.join(', ')}`] : []),
    ...(accounts.length > 0 ? [`accounts ${accounts.join(', ')}`] : []),
    ...(kinds.length > 0 ? [`jobs of kind ${kinds.join(', ')}`] : []),
  ]
  return parts.length === 0 ? [] : [`Exempt: ${printable(parts.join('; '))}.`]
}

/** A policy as programs read it. */
export function policyJson(policy: Policy): object {
  return {
    name: policy.name,
    enabled: policy.isEnabled,
    scope: policy.scope,
    severity: policy.severity,
    says: policy.says,
    explanation: policy.explanation,
    advice: policy.advice,
    conditions: policy.conditions.map(({ figure, is, threshold }) => ({
      figure,
      [is.replace(' ', '_')]: threshold,
      unit: isFigureName(figure) ? policyFigures[figure].unit : null,
    })),
    for_seconds: policy.forSeconds,
    over_seconds: policy.scope === 'history' ? policy.overSeconds : null,
    unless_idle:
      policy.spare === null
        ? null
        : {
            resource: policy.spare.resource,
            of_rest: policy.spare.ofRest,
            of_node: policy.spare.ofNode,
          },
    exempt: policy.exempt,
    channels: policy.channels,
  }
}
