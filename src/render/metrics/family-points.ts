import type { HistogramSample, Labels, MetricFamily, MetricSample } from './family.ts'

/** One series of a family, by the name that all formats give it. */
export interface FamilyPoint {
  readonly name: string
  readonly labels: Labels
  readonly value: number
}

/** The series that one sample of a family is told as: one, or all those of a histogram. */
export interface SamplePoints {
  readonly sample: MetricSample | HistogramSample
  readonly points: readonly FamilyPoint[]
}

/** All that a family tells. What was not measured has no points. */
export function pointsOf(family: MetricFamily): readonly SamplePoints[] {
  const { name } = family
  if (family.kind === 'histogram')
    return family.samples.map((sample) => ({ sample, points: histogramPoints(name, sample) }))
  const full = name + suffixOf(family.kind)
  return family.samples.flatMap((sample) => {
    const { labels, value } = sample
    if (value === null || Number.isNaN(value)) return []
    return [{ sample, points: [{ name: full, labels, value }] }]
  })
}

/** What a kind adds to the name of its family. */
export const suffixOf = (kind: MetricFamily['kind']): string =>
  kind === 'counter' ? '_total' : kind === 'info' ? '_info' : ''

function histogramPoints(
  name: string,
  { labels, buckets, count, sum }: HistogramSample,
): FamilyPoint[] {
  const bounded = [...buckets, { most: Number.POSITIVE_INFINITY, count }]
  return [
    ...bounded.map(({ most, count: within }) => ({
      name: `${name}_bucket`,
      labels: { ...labels, le: boundText(most) },
      value: within,
    })),
    { name: `${name}_sum`, labels, value: sum },
    { name: `${name}_count`, labels, value: count },
  ]
}

/** OpenMetrics wants bounds as floats: `1.0`, so that all formats have the same label. */
const boundText = (most: number): string =>
  Number.isInteger(most) ? most.toFixed(1) : numberText(most)

export function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return value > 0 ? '+Inf' : '-Inf'
}
