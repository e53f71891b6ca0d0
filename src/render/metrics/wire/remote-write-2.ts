import { unitOf, type MetricFamily } from '../family.ts'
import type { MetricBatch, SharedLabels } from './metric-batch.ts'
import { ProtobufWriter } from './protobuf-writer.ts'
import { staleBits, wireSeries, type WireSeries } from './wire-series.ts'

/** Numbers of the fields of `io.prometheus.write.v2.Request` and what it holds. */
const request = { symbols: 4, timeseries: 5 }
const timeSeries = { labelsRefs: 1, samples: 2, metadata: 5 }
const sample = { value: 1, timestamp: 2, startTimestamp: 3 }
const metadata = { type: 1, helpRef: 3, unitRef: 4 }
const types: Readonly<Record<MetricFamily['kind'], number>> = {
  counter: 1,
  gauge: 2,
  histogram: 3,
  info: 6,
}

/** A batch as remote write 2.0 sends it, before it is compressed: every text stands in it once. */
export function remoteWrite2(batch: MetricBatch, shared: SharedLabels): Uint8Array<ArrayBuffer> {
  const symbols = new Symbols()
  const all = new ProtobufWriter(65_536)
  const series = new ProtobufWriter()
  const part = new ProtobufWriter()
  const about = new ProtobufWriter()
  const refs: number[] = []
  let family: MetricFamily | undefined
  for (const one of wireSeries(batch, shared)) {
    series.clear()
    refs.length = 0
    for (const [name, value] of one.labels) refs.push(symbols.refOf(name), symbols.refOf(value))
    series.packed(timeSeries.labelsRefs, refs)
    part.clear()
    writeSample(part, one, batch.atMilliseconds)
    series.message(timeSeries.samples, part)
    if (one.family !== family) {
      family = one.family
      writeMetadata(about, family, symbols)
    }
    series.message(timeSeries.metadata, about)
    all.message(request.timeseries, series)
  }
  for (const symbol of symbols.all()) all.item(request.symbols, symbol)
  return all.bytes()
}

function writeSample(
  part: ProtobufWriter,
  { value, startMilliseconds, isGone }: WireSeries,
  at: number,
): void {
  if (isGone) part.doubleBits(sample.value, staleBits)
  else part.double(sample.value, value)
  part.unsigned(sample.timestamp, at)
  // 0 would say that nobody knows.
  if (startMilliseconds !== null) part.unsigned(sample.startTimestamp, startMilliseconds || 1)
}

function writeMetadata(part: ProtobufWriter, family: MetricFamily, symbols: Symbols): void {
  part.clear()
  part.unsigned(metadata.type, types[family.kind])
  part.unsigned(metadata.helpRef, symbols.refOf(family.help))
  part.unsigned(metadata.unitRef, symbols.refOf(unitOf(family.name) ?? ''))
}

/** The texts of a request, each once; the first is empty. */
class Symbols {
  readonly #places = new Map<string, number>([['', 0]])
  /** Half characters cannot be written, so that texts which differ may become the same. */
  readonly #written: string[] = ['']

  refOf(text: string): number {
    const known = this.#places.get(text)
    if (known !== undefined) return known
    const whole = text.toWellFormed()
    const place = this.#places.get(whole) ?? this.#written.push(whole) - 1
    this.#places.set(whole, place)
    this.#places.set(text, place)
    return place
  }

  all(): readonly string[] {
    return this.#written
  }
}
