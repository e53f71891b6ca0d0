/** What can be named in `resource_monitor.metrics`: kinds of figures, and the columns of samples that people know. */
const measured = [
  'cpu',
  'memory',
  'io',
  'disk',
  'processes',
  'threads',
  'pressure',
  'cpu_percent',
  'memory_bytes',
  'num_processes',
] as const

const notMeasured = ['gpu', 'network'] as const

export const metricNames = [...measured, ...notMeasured] as const

type MetricName = (typeof metricNames)[number]

export const isMeasured = (name: MetricName): boolean => measured.some((each) => each === name)
