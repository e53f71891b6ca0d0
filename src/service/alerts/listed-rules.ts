import { readAlerts } from '../../alert/config/read-alerts.ts'
import { shortNumber } from '../../alert/notice-words.ts'
import type { Rule } from '../../alert/rule.ts'
import type { ListedRule } from '../../model/listed-rule.ts'
import type { System } from '../../system/system.ts'
import type { Environment } from '../config-path.ts'
import { loadAlertFile } from './alert-file.ts'
import { alertsPath } from './alerts-path.ts'

/** The rules that apply; null for a file: none is set up, and these are the shipped ones. */
export async function listedRules(
  system: System,
  environment: Environment,
  named?: string,
): Promise<{ readonly path: string | null; readonly rules: readonly ListedRule[] }> {
  const path = alertsPath(system, named, environment)
  if (path !== undefined) {
    const file = await loadAlertFile(system, path)
    return { path: file.path, rules: file.rules.map(listedRule) }
  }
  const shipped = readAlerts('{}', 'shipped.json', String)
  return { path: null, rules: (shipped.kind === 'ok' ? shipped.value.rules : []).map(listedRule) }
}

/** A rule as people read it. */
function listedRule(rule: Rule): ListedRule {
  const { name, says, severity, scope, at, metric, condition, channels } = rule
  return {
    name,
    says,
    severity,
    scope,
    at,
    metric,
    channels,
    condition: conditionWords(condition),
    threshold: condition.kind === 'unusual' ? null : condition.threshold,
    forSeconds: rule.forSeconds,
    clearForSeconds: rule.clearForSeconds,
  }
}

function conditionWords(condition: Rule['condition']): string {
  if (condition.kind !== 'unusual') {
    const { kind, threshold, clear } = condition
    const until = clear === threshold ? '' : `, until ${clear}`
    return `${kind} ${shortNumber(threshold)}${until}`
  }
  const { direction, deviations, from } = condition
  const than = from.kind === 'window' ? `the last ${from.seconds} s` : 'past runs'
  const where = direction === 'either' ? 'away from' : direction
  return `${deviations} deviations ${where} ${than}`
}
