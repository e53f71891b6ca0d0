import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unitOf, type MetricFamily } from '../../src/render/metrics/family.ts'
import { pointsOf, suffixOf } from '../../src/render/metrics/family-points.ts'
import type { MetricBatch } from '../../src/render/metrics/wire/metric-batch.ts'
import { otlpJson } from '../../src/render/metrics/wire/otlp-json.ts'
import { remoteWrite1 } from '../../src/render/metrics/wire/remote-write-1.ts'
import { remoteWrite2 } from '../../src/render/metrics/wire/remote-write-2.ts'
import { anyBatch } from './any-batch.ts'
import { bitsOf, judged, whyNoProtoc, type Judged } from './protobuf-judge.ts'

const shared = { cluster: 'a', Zone: 'ünö' }
const sender = { service: 'jobmeter', instance: 'node01', version: '1.2.3' }
const stale = '7ff0000000000002'
const cases = 300

const batches: readonly MetricBatch[] = fc.sample(anyBatch, cases)

/** What is left out of JSON and of Protocol Buffers where it has its default value. */
const unless0 = (key: string, value: number): object =>
  value === 0 ? {} : { [key]: String(value) }

const labelsOf = (name: string, own: MetricFamily['samples'][number]['labels']) => {
  const told = Object.entries(own).filter(([, value]) => value !== null && value !== '')
  const all: Record<string, string> = {
    ...shared,
    ...(Object.fromEntries(told) as Record<string, string>),
    __name__: name,
  }
  return Object.entries(all)
    .map(([key, value]): [string, string] => [key, value.toWellFormed()])
    .sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
}

const startOf = (createdAt: number | null | undefined): number | null =>
  createdAt === null || createdAt === undefined ? null : Math.round(createdAt * 1000)

interface Expected {
  readonly family: MetricFamily
  readonly labels: readonly [string, string][]
  readonly value: string | null
  readonly start: number | null
}

const seriesOf = ({ families }: MetricBatch): Expected[] =>
  families.flatMap((family) =>
    pointsOf(family).flatMap(({ sample, points }) =>
      points.map(({ name, labels, value }) => ({
        family,
        labels: labelsOf(name, labels),
        value: sample.isGone ? stale : Object.is(value, 0) ? null : bitsOf(value),
        start: startOf(sample.createdAt),
      })),
    ),
  )

const sampleValue = (value: string | null): object => (value === null ? {} : { value })
const typeNumbers = { counter: '1', gauge: '2', histogram: '3', info: '6' }

describe.skipIf(whyNoProtoc())(
  'metrics on the wire, read by the library of Protocol Buffers',
  () => {
    it('are the same in remote write 1.0', () => {
      const read = judged(
        'remote_write_1',
        'WriteRequest',
        batches.map((batch) => remoteWrite1(batch, shared).slice()),
      )
      const wanted = batches.map((batch): Judged => {
        const timeseries = seriesOf(batch).map(({ labels, value }) => ({
          labels: labels.map(([name, text]) => ({ name, value: text })),
          samples: [{ ...sampleValue(value), ...unless0('timestamp', batch.atMilliseconds) }],
        }))
        const metadata = batch.families.map(({ name, kind, help }) => ({
          type: kind === 'info' ? '2' : typeNumbers[kind],
          metric_family_name: name + suffixOf(kind),
          ...(help === '' ? {} : { help: help.toWellFormed() }),
          ...(unitOf(name) === undefined ? {} : { unit: unitOf(name) }),
        }))
        return {
          ...(timeseries.length === 0 ? {} : { timeseries }),
          ...(metadata.length === 0 ? {} : { metadata }),
        }
      })
      expect(read).toEqual(wanted)
    })

    it('are the same in remote write 2.0, with every text once', () => {
      const read = judged(
        'remote_write_2',
        'Request',
        batches.map((batch) => remoteWrite2(batch, shared).slice()),
      )
      for (const [at, batch] of batches.entries()) {
        const { symbols, timeseries = [] } = read[at] as {
          symbols: string[]
          timeseries?: Series2[]
        }
        expect(symbols[0]).toBe('')
        expect(new Set(symbols).size).toBe(symbols.length)
        const textOf = (ref: string | undefined) => symbols[Number(ref ?? 0)]
        expect(
          timeseries.map(({ labels_refs: refs, samples, metadata }) => ({
            labels: refs.map(textOf),
            samples,
            metadata: [metadata.type, textOf(metadata.help_ref), textOf(metadata.unit_ref)],
          })),
        ).toEqual(
          seriesOf(batch).map(({ family, labels, value, start }) => ({
            labels: labels.flat(),
            samples: [
              {
                ...sampleValue(value),
                ...unless0('timestamp', batch.atMilliseconds),
                ...(start === null ? {} : { start_timestamp: String(start === 0 ? 1 : start) }),
              },
            ],
            metadata: [
              typeNumbers[family.kind],
              family.help.toWellFormed(),
              unitOf(family.name) ?? '',
            ],
          })),
        )
      }
    })

    it('are the same in OTLP', () => {
      const read = judged(
        'otlp_metrics',
        'ExportMetricsServiceRequest',
        batches.map((batch) => otlpJson(batch, shared, sender)),
      )
      for (const [at, batch] of batches.entries()) {
        const [resource] = (read[at] as { resource_metrics: Resource[] }).resource_metrics
        expect(resource?.resource.attributes).toEqual([
          { key: 'service.name', value: { string_value: 'jobmeter' } },
          { key: 'service.instance.id', value: { string_value: 'node01' } },
          { key: 'service.version', value: { string_value: '1.2.3' } },
        ])
        expect(resource?.scope_metrics[0]?.metrics ?? []).toEqual(
          batch.families.map(otlpFamily(batch)),
        )
      }
    })

    it('are JSON as OTLP wants it: 64 bits as text, enumerations as numbers', () => {
      const family: MetricFamily = {
        name: 'a_bytes',
        kind: 'counter',
        help: '',
        labels: [],
        samples: [{ labels: { host: 'b' }, value: 7, createdAt: 1.5 }],
      }
      const text = otlpJson({ atMilliseconds: 2000, families: [family] }, {}, sender)
      expect(text).toContain(
        '"metrics":[{"name":"a_bytes_total","description":"","unit":"By","sum":{"dataPoints":[{"attributes":[{"key":"host","value":{"stringValue":"b"}}],"startTimeUnixNano":"1500000000","timeUnixNano":"2000000000","asDouble":7}],"aggregationTemporality":2,"isMonotonic":true}}]',
      )
    })
  },
)

interface Series2 {
  readonly labels_refs: readonly string[]
  readonly samples: readonly object[]
  readonly metadata: Readonly<Record<string, string>>
}

interface Resource {
  readonly resource: { readonly attributes: readonly object[] }
  readonly scope_metrics: readonly { readonly metrics?: readonly object[] }[]
}

const ucum: Readonly<Record<string, string>> = {
  seconds: 's',
  bytes: 'By',
  ratio: '1',
}

const otlpFamily =
  (batch: MetricBatch) =>
  (family: MetricFamily): Judged => {
    const unit = unitOf(family.name)
    const head = {
      name: family.name + suffixOf(family.kind),
      ...(family.help === '' ? {} : { description: family.help.toWellFormed() }),
      ...(unit === undefined ? {} : { unit: ucum[unit] }),
    }
    const list = (key: string, points: object[]): object =>
      points.length === 0 ? {} : { [key]: points }
    const aggregation = { aggregation_temporality: '2' }
    if (family.kind === 'histogram')
      return {
        ...head,
        histogram: {
          ...list(
            'data_points',
            family.samples.map((sample) => ({
              ...otlpHead(sample, batch),
              ...(sample.isGone
                ? {}
                : {
                    ...unless0('count', sample.count),
                    sum: bitsOf(sample.sum === 0 ? 0 : sample.sum),
                    bucket_counts: [...sample.buckets, sample].map(({ count }, place) =>
                      String(count - (sample.buckets[place - 1]?.count ?? 0)),
                    ),
                    ...list(
                      'explicit_bounds',
                      sample.buckets.map(({ most }) => bitsOf(most)) as unknown as object[],
                    ),
                  }),
            })),
          ),
          ...aggregation,
        },
      }
    const points = family.samples
      .filter(({ value }) => value !== null)
      .map((sample) => ({
        ...otlpHead(sample, batch),
        // JSON has one zero alone.
        ...(sample.isGone
          ? {}
          : { as_double: bitsOf(sample.value === 0 ? 0 : (sample.value ?? 0)) }),
      }))
    return family.kind === 'counter'
      ? { ...head, sum: { ...list('data_points', points), ...aggregation, is_monotonic: true } }
      : { ...head, gauge: list('data_points', points) }
  }

function otlpHead(
  { labels, createdAt, isGone }: MetricFamily['samples'][number],
  { atMilliseconds }: MetricBatch,
): object {
  const told = Object.entries(labels).filter(([, value]) => value !== null && value !== '')
  const start = startOf(createdAt)
  return {
    attributes: Object.entries({ ...shared, ...Object.fromEntries(told) }).map(([key, value]) => ({
      key,
      value: { string_value: (value ?? '').toWellFormed() },
    })),
    ...(start === null || start === 0 ? {} : { start_time_unix_nano: `${start}000000` }),
    ...(atMilliseconds === 0 ? {} : { time_unix_nano: `${atMilliseconds}000000` }),
    ...(isGone ? { flags: '1' } : {}),
  }
}
