import type { MetricFamily, MetricSample } from '../render/metrics/family.ts'
import type { MetricBatch } from '../render/metrics/wire/metric-batch.ts'

/** A batch as it waits: in no protocol, for the other side may turn out to know another. */
export const batchText = (batch: MetricBatch): string => JSON.stringify(batch)

export const batchOf = (text: string): MetricBatch => JSON.parse(text) as MetricBatch

/** What was measured, of all that is told. JSON has no word for what is not finite, and nothing that is told ever is. */
export const measuredFamilies = (families: readonly MetricFamily[]): readonly MetricFamily[] =>
  families
    .map((family) =>
      family.kind === 'histogram'
        ? family
        : { ...family, samples: family.samples.filter(isMeasured) },
    )
    .filter(({ samples }) => samples.length > 0)

const isMeasured = ({ value }: MetricSample): boolean => value !== null && Number.isFinite(value)

/** As how many series a sample is told. */
const seriesIn = (sample: MetricFamily['samples'][number]): number =>
  'buckets' in sample ? sample.buckets.length + 3 : 1

export const countSeries = (families: readonly MetricFamily[]): number =>
  families.reduce(
    (sum, { samples }) =>
      (samples as readonly MetricSample[]).reduce((all, sample) => all + seriesIn(sample), sum),
    0,
  )

/** Families in parts of at most so many series; a histogram is never cut. */
export function* inParts(
  families: readonly MetricFamily[],
  mostSeries: number,
): Iterable<readonly MetricFamily[]> {
  let part: MetricFamily[] = []
  let series = 0
  for (const family of families) {
    let samples: MetricFamily['samples'][number][] = []
    const close = () => {
      if (samples.length > 0) part.push({ ...family, samples } as MetricFamily)
      samples = []
    }
    for (const sample of family.samples) {
      const more = seriesIn(sample)
      if (series > 0 && series + more > mostSeries) {
        close()
        yield part
        part = []
        series = 0
      }
      samples.push(sample)
      series += more
    }
    close()
  }
  if (part.length > 0) yield part
}
