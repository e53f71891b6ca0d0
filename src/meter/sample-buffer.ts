import { sampleWidth } from '../model/sample.ts'

/** Takes `count` rows of `sampleWidth` numbers; the array is reused after the call. */
export type SampleSink = (rows: Float64Array, count: number) => void

const rowsKept = 64
/** The most that a kill of the runner can lose of a series. */
const holdSeconds = 1

/** Gathers samples, so that the disk is written once a second and not at each look. */
export class SampleBuffer {
  /** Of a short job there is one sample, and room for more is half of all the memory that it takes. */
  #rows = new Float64Array(sampleWidth)
  readonly #sink: SampleSink
  #count = 0
  #oldest = 0

  constructor(sink: SampleSink) {
    this.#sink = sink
  }

  add(row: Float64Array, elapsedSeconds: number): void {
    if (this.#count === 0) this.#oldest = elapsedSeconds
    if (this.#count * sampleWidth === this.#rows.length) this.#grow()
    this.#rows.set(row, this.#count * sampleWidth)
    this.#count += 1
    if (this.#count === rowsKept) this.flush()
  }

  /** Gives out what would be held for too long until then. */
  flushBefore(elapsedSeconds: number): void {
    if (elapsedSeconds - this.#oldest > holdSeconds) this.flush()
  }

  flush(): void {
    if (this.#count === 0) return
    this.#sink(this.#rows, this.#count)
    this.#count = 0
  }

  #grow(): void {
    const rows = new Float64Array(rowsKept * sampleWidth)
    rows.set(this.#rows)
    this.#rows = rows
  }
}
