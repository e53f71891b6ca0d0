import { unitOf, type Labels, type MetricFamily } from './family.ts'
import { numberText, pointsOf, suffixOf } from './family-points.ts'
import { escaped, labelText } from './label-text.ts'
import type { MetricsFormat } from './negotiate.ts'

/**
 * Metrics as text. What was not measured has no sample, and a family without samples is left out.
 *
 * OpenMetrics 1.0 names a counter without its `_total` in the head, tells units and since when counters count, and ends in
 * `# EOF`. The older format (0.0.4) knows none of these; there, an info is a gauge that is always 1.
 */
export function expositionText(families: Iterable<MetricFamily>, format: MetricsFormat): string {
  const parts: string[] = []
  for (const family of families) {
    const lines = sampleLines(family, format)
    if (lines.length > 0) parts.push(headOf(family, format), ...lines)
  }
  if (format === 'openmetrics') parts.push('# EOF\n')
  return parts.join('')
}

function headOf({ name, kind, help }: MetricFamily, format: MetricsFormat): string {
  if (format === 'text') {
    const full = name + suffixOf(kind)
    const old = kind === 'info' ? 'gauge' : kind
    return `# HELP ${full} ${escaped(help, /[\\\n]/g)}\n# TYPE ${full} ${old}\n`
  }
  const unit = unitOf(name)
  const head = `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${kind}\n`
  return unit === undefined ? head : `${head}# UNIT ${name} ${unit}\n`
}

const sampleLines = (family: MetricFamily, format: MetricsFormat): string[] =>
  pointsOf(family).flatMap(({ sample, points }) => [
    ...points.map(({ name, labels, value }) => `${name}${braced(labels)} ${numberText(value)}\n`),
    ...createdLine(family.name, sample.labels, sample.createdAt, format),
  ])

const createdLine = (
  name: string,
  labels: Labels,
  createdAt: number | null | undefined,
  format: MetricsFormat,
): string[] =>
  format === 'text' || createdAt === undefined || createdAt === null
    ? []
    : [`${name}_created${braced(labels)} ${numberText(createdAt)}\n`]

const braced = (labels: Labels): string => {
  const text = labelText(labels)
  return text === '' ? '' : `{${text}}`
}
