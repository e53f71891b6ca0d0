import type { FiringCount, ViolationCount } from '../../model/metric-facts.ts'
import type { FamilyOf } from './family.ts'
import { gauge } from './family-kinds.ts'

export const alertFamilies: readonly FamilyOf<readonly FiringCount[]>[] = [
  gauge(
    'jobmeter_alerts_firing',
    ['rule', 'severity'],
    'Alerts that fire now, by the rule that they are of.',
    (counts) =>
      counts.map(({ rule, severity, alerts }) => ({ labels: { rule, severity }, value: alerts })),
  ),
]

export const violationFamilies: readonly FamilyOf<readonly ViolationCount[]>[] = [
  gauge(
    'jobmeter_node_violations',
    ['host', 'policy', 'severity'],
    'Violations of policies that were seen within the last hour and are not over.',
    (counts) =>
      counts.map(({ host, policy, severity, violations }) => ({
        labels: { host, policy, severity },
        value: violations,
      })),
  ),
]
