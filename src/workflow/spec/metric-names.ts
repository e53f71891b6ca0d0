import {
  metricGroups,
  metricNames,
  type AskedMetric,
  type MetricName,
} from '../../model/metrics.ts'

/** Other names for some of them, as other runners have them. */
const aliases = {
  disk: 'io',
  cpu_percent: 'cpu',
  memory_bytes: 'memory',
  num_processes: 'processes',
} as const satisfies Readonly<Record<string, MetricName>>

const aliasNames = Object.keys(aliases) as (keyof typeof aliases)[]

/** What can be named in `resource_monitor.metrics`. */
export const specMetricNames = [...metricNames, ...metricGroups, ...aliasNames] as const

type SpecMetricName = (typeof specMetricNames)[number]

const isAlias = (name: SpecMetricName): name is keyof typeof aliases => Object.hasOwn(aliases, name)

/** By the names of the gauges, each once. */
export const metricsNamed = (names: readonly SpecMetricName[]): readonly AskedMetric[] => [
  ...new Set(names.map((name) => (isAlias(name) ? aliases[name] : name))),
]
