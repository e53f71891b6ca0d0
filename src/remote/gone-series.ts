import type { MetricFamily } from '../render/metrics/family.ts'

type Sample = MetricFamily['samples'][number]

interface Told {
  readonly family: MetricFamily
  readonly samples: ReadonlyMap<string, Sample>
}

/** Of more samples than this nobody remembers which there were; those that end are then seen by their age alone. */
const mostRemembered = 50_000

/** Remembers what was told last, to tell once of each series that it is gone. */
export class GoneSeries {
  #before: ReadonlyMap<string, Told> = new Map()

  /** The families, with what was told before and is no longer. */
  mark(families: readonly MetricFamily[]): readonly MetricFamily[] {
    const now = new Map(families.map((family) => [family.name, toldIn(family)]))
    const marked = families.map((family) => withGone(family, this.#before, now))
    for (const [name, { family, samples }] of this.#before)
      if (!now.has(name))
        marked.push({ ...family, samples: [...samples.values()].map(gone) } as MetricFamily)
    const size = families.reduce((sum, { samples }) => sum + samples.length, 0)
    this.#before = size > mostRemembered ? new Map() : now
    return marked
  }
}

const toldIn = (family: MetricFamily): Told => ({
  family,
  samples: new Map(
    (family.samples as readonly Sample[]).map((sample) => [JSON.stringify(sample.labels), sample]),
  ),
})

function withGone(
  family: MetricFamily,
  before: ReadonlyMap<string, Told>,
  now: ReadonlyMap<string, Told>,
): MetricFamily {
  const known = now.get(family.name)?.samples
  const ended = [...(before.get(family.name)?.samples ?? [])]
    .filter(([key]) => known?.has(key) !== true)
    .map(([, sample]) => gone(sample))
  return ended.length === 0
    ? family
    : ({ ...family, samples: [...family.samples, ...ended] } as MetricFamily)
}

const gone = (sample: Sample): Sample => ({ ...sample, isGone: true })
