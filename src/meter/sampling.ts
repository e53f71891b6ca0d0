import { sampleIndex, type SampleRow } from '../model/sample.ts'
import type { FollowedGauge } from './gauges/gauge.ts'
import type { SampleLayout } from './gauges/sample-layout.ts'
import type { JobDevices } from './job-devices.ts'
import { Outline } from './outline.ts'
import { SampleBuffer, type SampleSink } from './sample-buffer.ts'

/** A gauge with the places of its columns. */
interface Writer {
  readonly gauge: FollowedGauge
  readonly at: SampleLayout['places'][number]
}

/** The samples of a job: each is one row that all gauges write into, and goes to whoever keeps them and to the outline. */
export class Sampling {
  readonly #writers: readonly Writer[]
  readonly #recordedStart: number
  readonly #row: Float64Array
  readonly #buffer: SampleBuffer
  readonly #outline: Outline
  readonly #devices: JobDevices
  #taken = 0
  /** Samples of which it is not known yet whether they count. */
  #held: { readonly row: Float64Array; readonly elapsedSeconds: number }[] | undefined

  /** `recordedStart`: when the job started, in seconds since 1970. */
  constructor(
    gauges: readonly FollowedGauge[],
    { columns, places }: SampleLayout,
    recordedStart: number,
    sink: SampleSink,
    devices: JobDevices,
  ) {
    this.#writers = gauges.map((gauge, index) => ({ gauge, at: places[index] ?? {} }))
    this.#recordedStart = recordedStart
    this.#row = new Float64Array(columns.length)
    this.#buffer = new SampleBuffer(sink, columns)
    this.#outline = new Outline(columns.length)
    this.#devices = devices
  }

  get taken(): number {
    return this.#taken
  }

  get outline(): readonly SampleRow[] {
    return this.#outline.rows
  }

  /** Has all gauges look, and write down where the job stands; what was not looked at, or cannot be told, is NaN. */
  take(elapsedSeconds: number, full: boolean): void {
    const row = this.#row
    row.fill(NaN)
    row[sampleIndex.timestamp] = this.#recordedStart + elapsedSeconds
    row[sampleIndex.elapsed_seconds] = elapsedSeconds
    for (const { gauge, at } of this.#writers) gauge.look(row, at, elapsedSeconds, full)
    if (this.#held === undefined) this.#keep(row, elapsedSeconds)
    else this.#held.push({ row: row.slice(), elapsedSeconds })
  }

  /** Holds samples back from here on. */
  hold(): void {
    this.#held ??= []
  }

  /** Lets samples go that were held back, or drops them. */
  letGo(drops: boolean): void {
    const held = this.#held ?? []
    this.#held = undefined
    if (!drops) for (const { row, elapsedSeconds } of held) this.#keep(row, elapsedSeconds)
  }

  /** Gives samples out that would grow too old until then. */
  handOnBefore(elapsedSeconds: number): void {
    this.#buffer.flushBefore(elapsedSeconds)
    this.#devices.handOnBefore(elapsedSeconds)
  }

  handOn(): void {
    this.#buffer.flush()
    this.#devices.handOn()
  }

  #keep(row: Float64Array, elapsedSeconds: number): void {
    this.#taken += 1
    this.#outline.add(row)
    this.#buffer.add(row, elapsedSeconds)
  }
}
