import { unitOf, type HistogramSample, type Labels, type MetricFamily } from '../family.ts'
import { pointsOf, suffixOf } from '../family-points.ts'
import type { MetricBatch, SharedLabels } from './metric-batch.ts'

/** `AGGREGATION_TEMPORALITY_CUMULATIVE`; enumerations are numbers in the JSON of OTLP. */
const cumulative = 2
/** `DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK` */
const noRecordedValue = 1

/** Units as UCUM has them. Of rates none: Prometheus would make `_per_second_per_second` of the name and `By/s`. */
const ucum: Readonly<Record<string, string>> = {
  seconds: 's',
  bytes: 'By',
  joules: 'J',
  watts: 'W',
  ratio: '1',
}

/** Who sends. */
export interface OtlpSender {
  readonly service: string
  readonly instance: string
  readonly version: string
}

/**
 * A batch as OTLP/HTTP sends it (`ExportMetricsServiceRequest` as JSON). Metrics have the names that they have everywhere,
 * so that a query finds them whichever way they came.
 */
export function otlpJson(batch: MetricBatch, shared: SharedLabels, sender: OtlpSender): string {
  const { service, instance, version } = sender
  const resource = {
    'service.name': service,
    'service.instance.id': instance,
    'service.version': version,
  }
  const metrics = batch.families.map((family) => metricOf(family, batch.atMilliseconds, shared))
  return JSON.stringify({
    resourceMetrics: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeMetrics: [{ scope: { name: 'jobmeter', version }, metrics }],
      },
    ],
  })
}

function metricOf(family: MetricFamily, at: number, shared: SharedLabels): object {
  const { name, kind, help } = family
  const unit = ucum[unitOf(name) ?? '']
  const head = {
    name: name + suffixOf(kind),
    description: help.toWellFormed(),
    ...(unit === undefined ? {} : { unit }),
  }
  if (family.kind === 'histogram') {
    const dataPoints = family.samples.map((sample) => histogramPoint(sample, at, shared))
    return { ...head, histogram: { dataPoints, aggregationTemporality: cumulative } }
  }
  const dataPoints = pointsOf(family).flatMap(({ sample, points }) =>
    points.map(({ labels, value }) => ({
      ...pointHead({ ...sample, labels }, at, shared),
      ...(sample.isGone ? {} : { asDouble: doubleJson(value) }),
    })),
  )
  return kind === 'counter'
    ? { ...head, sum: { dataPoints, aggregationTemporality: cumulative, isMonotonic: true } }
    : { ...head, gauge: { dataPoints } }
}

function histogramPoint(sample: HistogramSample, at: number, shared: SharedLabels): object {
  const head = pointHead(sample, at, shared)
  if (sample.isGone) return head
  const { buckets, count, sum } = sample
  const upTo = [...buckets.map((bucket) => bucket.count), count]
  return {
    ...head,
    count: String(count),
    sum: doubleJson(sum),
    // Of each bucket alone, where ours count all that was smaller as well.
    bucketCounts: upTo.map((within, place) => String(within - (upTo[place - 1] ?? 0))),
    explicitBounds: buckets.map(({ most }) => most),
  }
}

interface PointFacts {
  readonly labels: Labels
  readonly createdAt?: number | null
  readonly isGone?: true
}

function pointHead({ labels, createdAt, isGone }: PointFacts, at: number, shared: SharedLabels) {
  const known = Object.fromEntries(Object.entries(labels).filter(([, value]) => value))
  return {
    attributes: attributesOf({ ...shared, ...known }),
    ...(createdAt === undefined || createdAt === null
      ? {}
      : { startTimeUnixNano: nanoseconds(Math.round(createdAt * 1000)) }),
    timeUnixNano: nanoseconds(at),
    ...(isGone ? { flags: noRecordedValue } : {}),
  }
}

const attributesOf = (texts: Labels): object[] =>
  Object.entries(texts).map(([key, value]) => ({
    key,
    value: { stringValue: (value ?? '').toWellFormed() },
  }))

/** Integers of 64 bits are texts in JSON. */
const nanoseconds = (milliseconds: number): string => (BigInt(milliseconds) * 1_000_000n).toString()

/** JSON has no word for what is infinite; Protocol Buffers have these. */
const doubleJson = (value: number): number | string =>
  Number.isFinite(value) ? value : String(value)
