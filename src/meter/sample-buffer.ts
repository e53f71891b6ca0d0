/**
 * Takes `count` rows with a number for each of these columns: first those of `sampleColumns`, then what further gauges
 * bring. The array is reused after the call.
 */
export type SampleSink = (rows: Float64Array, count: number, columns: readonly string[]) => void

const rowsKept = 64
/**
 * The most that a kill of the runner can lose of a series, and that who looks on has to wait for. To write a sample takes
 * 8 µs in the spool and 60 µs in the ledger, one or two of them alike.
 */
const holdSeconds = 0.45

/** Gathers samples, so that the disk is written about twice a second and not at each look. */
export class SampleBuffer {
  /** Of a short job there is one sample, and room for more is half of all the memory that it takes. */
  #rows: Float64Array
  readonly #sink: SampleSink
  readonly #columns: readonly string[]
  #count = 0
  #oldest = 0

  constructor(sink: SampleSink, columns: readonly string[]) {
    this.#sink = sink
    this.#columns = columns
    this.#rows = new Float64Array(columns.length)
  }

  add(row: Float64Array, elapsedSeconds: number): void {
    if (this.#count === 0) this.#oldest = elapsedSeconds
    const at = this.#count * this.#columns.length
    if (at === this.#rows.length) this.#grow()
    this.#rows.set(row, at)
    this.#count += 1
    if (this.#count === rowsKept) this.flush()
  }

  /** Gives out what would be held for too long until then. */
  flushBefore(elapsedSeconds: number): void {
    if (elapsedSeconds - this.#oldest > holdSeconds) this.flush()
  }

  flush(): void {
    if (this.#count === 0) return
    this.#sink(this.#rows, this.#count, this.#columns)
    this.#count = 0
  }

  #grow(): void {
    const rows = new Float64Array(rowsKept * this.#columns.length)
    rows.set(this.#rows)
    this.#rows = rows
  }
}
