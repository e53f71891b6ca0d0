import type { ListedRule } from '../../model/listed-rule.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import { table } from '../text/table.ts'

const columns = [
  { header: 'Rule', align: 'left' },
  { header: 'Of', align: 'left' },
  { header: 'Severity', align: 'left' },
  { header: 'For', align: 'right' },
  { header: 'Condition', align: 'left' },
  { header: 'Metric', align: 'left' },
] as const

export function ruleListText(
  rules: readonly ListedRule[],
  path: string | null,
  style: Style,
): string {
  const head =
    path === null
      ? 'No alerts are set up, so nothing is watched. These rules are shipped:'
      : `Rules of ${printable(path)}, with the shipped ones:`
  const rows = rules.map((rule) => [
    printable(rule.name),
    rule.scope,
    rule.severity,
    rule.at === 'end' ? 'end' : `${rule.forSeconds} s`,
    rule.condition,
    printable(rule.metric),
  ])
  const [header = '', ...lines] = table(columns, rows).split('\n')
  return `${head}\n\n${[style.bold(header), ...lines].join('\n')}\n`
}

export const ruleJson = (rule: ListedRule): object => ({
  name: rule.name,
  says: rule.says,
  severity: rule.severity,
  scope: rule.scope,
  at: rule.at,
  metric: rule.metric,
  condition: rule.condition,
  threshold: rule.threshold,
  for_seconds: rule.forSeconds,
  clear_for_seconds: rule.clearForSeconds,
  channels: rule.channels,
})
