import { sampleIndex, type SampleRow } from '../model/sample.ts'

const most = 512

/**
 * A job's samples, thinned so that any length of job fits: when the outline is full, every second row
 * goes. Counters are cumulative, so rates stay right; the memory of a dropped row lives on in its neighbour
 * where it was higher.
 */
export class Outline {
  #kept: SampleRow[] = []
  /** The row added last, with the most memory of those skipped before it. */
  readonly #latest: SampleRow
  #stride = 1
  #skipped = 0

  constructor(width: number) {
    this.#latest = new Float64Array(width)
  }

  /** In order of time; the last row added is always the last one here. */
  get rows(): readonly SampleRow[] {
    return this.#skipped === 0 ? this.#kept : [...this.#kept, this.#latest.slice()]
  }

  add(row: SampleRow): void {
    const highest = this.#skipped === 0 ? NaN : memoryOf(this.#latest)
    this.#latest.set(row)
    raiseMemory(this.#latest, highest)
    if (++this.#skipped < this.#stride) return
    this.#kept.push(this.#latest.slice())
    this.#skipped = 0
    if (this.#kept.length >= most) this.#thin()
  }

  #thin(): void {
    const thinned: SampleRow[] = []
    for (let index = 0; index + 1 < this.#kept.length; index += 2) {
      const dropped = this.#kept[index]
      const kept = this.#kept[index + 1]
      if (dropped === undefined || kept === undefined) break
      raiseMemory(kept, memoryOf(dropped))
      thinned.push(kept)
    }
    this.#kept = thinned
    this.#stride *= 2
  }
}

const memoryOf = (row: SampleRow): number => row[sampleIndex.memory_bytes] ?? NaN

/** Either may be NaN, for a moment without processes; the other one holds then. */
function raiseMemory(row: SampleRow, bytes: number): void {
  if (!Number.isNaN(bytes) && !(memoryOf(row) >= bytes)) row[sampleIndex.memory_bytes] = bytes
}
