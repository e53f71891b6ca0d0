import { unitOf, type MetricFamily } from '../family.ts'
import { suffixOf } from '../family-points.ts'
import type { MetricBatch, SharedLabels } from './metric-batch.ts'
import { ProtobufWriter } from './protobuf-writer.ts'
import { staleBits, wireSeries, type WireSeries } from './wire-series.ts'

/** Numbers of the fields of `prometheus.WriteRequest` and what it holds. */
const writeRequest = { timeseries: 1, metadata: 3 }
const timeSeries = { labels: 1, samples: 2 }
const label = { name: 1, value: 2 }
const sample = { value: 1, timestamp: 2 }
const metadata = { type: 1, familyName: 2, help: 4, unit: 5 }
const types: Readonly<Record<MetricFamily['kind'], number>> = {
  counter: 1,
  gauge: 2,
  histogram: 3,
  // Prometheus reads an info as the gauge that it is in the older text format.
  info: 2,
}

/** A batch as remote write 1.0 sends it, before it is compressed. */
export function remoteWrite1(batch: MetricBatch, shared: SharedLabels): Uint8Array<ArrayBuffer> {
  const request = new ProtobufWriter(65_536)
  const series = new ProtobufWriter()
  const part = new ProtobufWriter()
  const labels = new LabelBytes()
  for (const one of wireSeries(batch, shared)) {
    series.clear()
    for (const [name, value] of one.labels) series.raw(labels.of(name, value))
    part.clear()
    writeSample(part, one, batch.atMilliseconds)
    series.message(timeSeries.samples, part)
    request.message(writeRequest.timeseries, series)
  }
  for (const family of batch.families) writeMetadata(request, part, family)
  return request.bytes()
}

/** Labels as they stand in a series. Most are those of many series, and written once. */
class LabelBytes {
  readonly #known = new Map<string, Map<string, Uint8Array>>()
  readonly #part = new ProtobufWriter()
  readonly #whole = new ProtobufWriter()

  of(name: string, value: string): Uint8Array {
    const values = this.#known.get(name) ?? new Map<string, Uint8Array>()
    if (values.size === 0) this.#known.set(name, values)
    const known = values.get(value)
    if (known !== undefined) return known
    this.#part.clear()
    this.#part.string(label.name, name)
    this.#part.string(label.value, value.toWellFormed())
    this.#whole.clear()
    this.#whole.message(timeSeries.labels, this.#part)
    const bytes = this.#whole.bytes().slice()
    values.set(value, bytes)
    return bytes
  }
}

function writeSample(part: ProtobufWriter, { value, isGone }: WireSeries, at: number): void {
  if (isGone) part.doubleBits(sample.value, staleBits)
  else part.double(sample.value, value)
  part.unsigned(sample.timestamp, at)
}

/** The specification leaves this field to Prometheus, which fills it like this; others pass over it. */
function writeMetadata(request: ProtobufWriter, part: ProtobufWriter, family: MetricFamily): void {
  const { name, kind, help } = family
  part.clear()
  part.unsigned(metadata.type, types[kind])
  part.string(metadata.familyName, name + suffixOf(kind))
  part.string(metadata.help, help.toWellFormed())
  part.string(metadata.unit, unitOf(name) ?? '')
  request.message(writeRequest.metadata, part)
}
