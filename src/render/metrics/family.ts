/** The labels of a sample; one without a value is the same as none. */
export type Labels = Readonly<Record<string, string | null>>

/** A value, or null where it was not measured: then there is no sample. */
export interface MetricSample {
  readonly labels: Labels
  readonly value: number | null
  /** Of counters: since when they count, in seconds since 1970. */
  readonly createdAt?: number | null
  /** There is no such sample any more, and this was its last value. Only batches that are sent have these. */
  readonly isGone?: true
}

/** How often something was measured that was at most so much; the last bound is infinite and not listed. */
export interface HistogramSample {
  readonly labels: Labels
  readonly buckets: readonly { readonly most: number; readonly count: number }[]
  readonly count: number
  readonly sum: number
  readonly createdAt?: number | null
  readonly isGone?: true
}

interface FamilyHead {
  /** Without `_total` and `_info`, which the kind adds; it ends in its unit where it has one. */
  readonly name: string
  /** One sentence. */
  readonly help: string
  /** All labels that its samples may have, for the reference. */
  readonly labels: readonly string[]
}

/** What samples a family has of facts of one kind. */
export type FamilyOf<Facts> = FamilyHead &
  (
    | {
        readonly kind: 'counter' | 'gauge' | 'info'
        samplesOf(facts: Facts): Iterable<MetricSample>
      }
    | { readonly kind: 'histogram'; samplesOf(facts: Facts): Iterable<HistogramSample> }
  )

/** A family with its samples. */
export type MetricFamily = FamilyHead &
  (
    | {
        readonly kind: 'counter' | 'gauge' | 'info'
        readonly samples: readonly MetricSample[]
      }
    | { readonly kind: 'histogram'; readonly samples: readonly HistogramSample[] }
  )

/** The families of some facts. */
export const familiesOf = <Facts>(
  families: readonly FamilyOf<Facts>[],
  facts: Facts,
): readonly MetricFamily[] => families.map((family) => withSamples(family, facts))

function withSamples<Facts>(family: FamilyOf<Facts>, facts: Facts): MetricFamily {
  const { name, help, labels } = family
  return family.kind === 'histogram'
    ? { name, help, labels, kind: family.kind, samples: [...family.samplesOf(facts)] }
    : { name, help, labels, kind: family.kind, samples: [...family.samplesOf(facts)] }
}

const units = ['seconds', 'bytes', 'bytes_per_second', 'joules', 'watts', 'ratio'] as const

/** The unit that the name ends in, which has to be the longest: bytes per second are no seconds. */
export const unitOf = (name: string): string | undefined =>
  units
    .filter((unit) => name.endsWith(`_${unit}`))
    .toSorted((one, other) => other.length - one.length)[0]
