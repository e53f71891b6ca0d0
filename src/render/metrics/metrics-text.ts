import type { MetricFacts } from '../../model/metric-facts.ts'
import type { OwnMetrics } from '../../model/own-metrics.ts'
import type { RemoteState } from '../../model/remote-state.ts'
import { alertFamilies, violationFamilies } from './alert-families.ts'
import { expositionText } from './exposition.ts'
import { familiesOf, type FamilyOf, type MetricFamily } from './family.ts'
import { jobFamilies } from './job-families.ts'
import type { MetricsFormat } from './negotiate.ts'
import { nodeFamilies } from './node-families.ts'
import { ownFamilies } from './own-families.ts'
import { remoteFamilies } from './remote-families.ts'
import { workflowFamilies } from './workflow-families.ts'

/** All that `/metrics` answers. */
export const metricsText = (facts: MetricFacts, own: OwnMetrics, format: MetricsFormat): string =>
  expositionText(serverFamilies(facts, own), format)

/** All that a server tells, to whoever scrapes it and wherever it sends it. */
export const serverFamilies = (facts: MetricFacts, own: OwnMetrics): readonly MetricFamily[] => [
  ...told(nodeFamilies, facts.nodes),
  ...told(violationFamilies, facts.violations),
  ...told(jobFamilies, facts.jobs),
  ...told(workflowFamilies, facts.workflows),
  ...told(alertFamilies, facts.alerts),
  ...familiesOf(ownFamilies, own),
  ...familiesOf(remoteFamilies, own.remote),
]

/** All that an agent sends. */
export const agentFamilies = (
  { nodes, violations }: Pick<MetricFacts, 'nodes' | 'violations'>,
  remote: readonly RemoteState[],
): readonly MetricFamily[] => [
  ...told(nodeFamilies, nodes),
  ...told(violationFamilies, violations),
  ...familiesOf(remoteFamilies, remote),
]

const told = <Facts>(
  families: readonly FamilyOf<Facts>[],
  facts: Facts | null,
): readonly MetricFamily[] => (facts === null ? [] : familiesOf(families, facts))

/** Every family that there is, for the reference. */
export const allFamilies = [
  { title: 'Nodes and GPUs', families: [...nodeFamilies, ...violationFamilies] },
  { title: 'Jobs', families: jobFamilies },
  { title: 'Workflows', families: workflowFamilies },
  { title: 'Alerts', families: alertFamilies },
  { title: 'The server itself', families: ownFamilies },
  { title: 'Metrics that are sent', families: remoteFamilies },
] as const
