import fc from 'fast-check'
import type { MetricFamily } from '../../src/render/metrics/family.ts'
import type { MetricBatch } from '../../src/render/metrics/wire/metric-batch.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({
    unit: fc.constantFrom('a', '"', '\n', '\0', 'ä', '語', '\ud800', '😀'),
    maxLength: 60,
  }),
)
const value = fc.double({ noNaN: true })
const createdAt = fc.option(fc.double({ min: 0, max: 4e9, noNaN: true }))
const labels = fc.dictionary(fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,10}$/), fc.option(text), {
  maxKeys: 5,
})
const isGone = fc.constantFrom({}, {}, {}, { isGone: true as const })

const plainSample = fc
  .record({ labels, value: fc.option(value, { freq: 8 }), createdAt })
  .chain((sample) => isGone.map((gone) => ({ ...sample, ...gone })))

const histogramSample = fc
  .record({
    labels,
    steps: fc.array(fc.integer({ min: 0, max: 1e6 }), { maxLength: 6 }),
    more: fc.integer({ min: 0, max: 1e6 }),
    sum: value,
    createdAt,
  })
  .map(({ steps, more, ...rest }) => {
    let count = 0
    const buckets = steps.map((step, place) => ({ most: place + 0.5, count: (count += step) }))
    return { ...rest, buckets, count: count + more }
  })
  .chain((sample) => isGone.map((gone) => ({ ...sample, ...gone })))

const name = fc.tuple(
  fc.stringMatching(/^[a-z][a-z_]{0,12}$/),
  fc.constantFrom('', '_seconds', '_bytes', '_bytes_per_second', '_ratio'),
)

const family: fc.Arbitrary<MetricFamily> = fc.oneof(
  fc.record({
    name: name.map(([stem, unit]) => stem + unit),
    help: text,
    labels: fc.constant([]),
    kind: fc.constantFrom('counter', 'gauge', 'info'),
    samples: fc.array(plainSample, { maxLength: 5 }),
  }),
  fc.record({
    name: name.map(([stem, unit]) => stem + unit),
    help: text,
    labels: fc.constant([]),
    kind: fc.constant('histogram' as const),
    samples: fc.array(histogramSample, { maxLength: 3 }),
  }),
)

/** Any families, with values, labels and texts of every kind. */
export const anyBatch: fc.Arbitrary<MetricBatch> = fc.record({
  atMilliseconds: fc.integer({ min: 0, max: 4e12 }),
  families: fc.array(family, { maxLength: 6 }),
})
