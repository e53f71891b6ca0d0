/** What can be measured of a job, by the names that `--metrics` and `resource_monitor.metrics` take. */
export const metricNames = [
  'cpu',
  'memory',
  'processes',
  'io',
  'pressure',
  'machine',
  'network',
  'disks',
  'energy',
  'threads',
  'gpu',
  'container',
] as const

export type MetricName = (typeof metricNames)[number]

/** Names for several of them. */
export const metricGroups = ['default', 'all'] as const

export type AskedMetric = MetricName | (typeof metricGroups)[number]

/** Why a figure is missing that nobody asked for. */
export const notAskedFor = 'not asked for (--metrics)'
