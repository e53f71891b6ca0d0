import { sampleIndex, type SampleRow } from '../model/sample.ts'
import type { FollowedGauge } from './gauges/gauge.ts'
import type { SampleLayout } from './gauges/sample-layout.ts'
import { Outline } from './outline.ts'
import { SampleBuffer, type SampleSink } from './sample-buffer.ts'

/** The samples of a job: each is one row that all gauges write into, and goes to whoever keeps them and to the outline. */
export class Sampling {
  readonly #gauges: readonly FollowedGauge[]
  readonly #recordedStart: number
  readonly #at: SampleLayout['at']
  readonly #row: Float64Array
  readonly #buffer: SampleBuffer
  readonly #outline: Outline
  #taken = 0

  /** `recordedStart`: when the job started, in seconds since 1970. */
  constructor(
    gauges: readonly FollowedGauge[],
    { columns, at }: SampleLayout,
    recordedStart: number,
    sink: SampleSink,
  ) {
    this.#gauges = gauges
    this.#recordedStart = recordedStart
    this.#at = at
    this.#row = new Float64Array(columns.length)
    this.#buffer = new SampleBuffer(sink, columns)
    this.#outline = new Outline(columns.length)
  }

  get taken(): number {
    return this.#taken
  }

  get outline(): readonly SampleRow[] {
    return this.#outline.rows
  }

  /** Writes down where the job stands; what was not looked at, or cannot be told, is NaN. */
  take(elapsedSeconds: number, full: boolean): void {
    const row = this.#row
    row.fill(NaN)
    row[sampleIndex.timestamp] = this.#recordedStart + elapsedSeconds
    row[sampleIndex.elapsed_seconds] = elapsedSeconds
    for (const gauge of this.#gauges) gauge.fill(row, this.#at, full)
    this.#taken += 1
    this.#outline.add(row)
    this.#buffer.add(row, elapsedSeconds)
  }

  /** Gives samples out that would grow too old until then. */
  handOnBefore(elapsedSeconds: number): void {
    this.#buffer.flushBefore(elapsedSeconds)
  }

  handOn(): void {
    this.#buffer.flush()
  }
}
