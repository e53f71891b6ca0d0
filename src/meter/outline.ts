import { sampleIndex, type SampleRow } from '../model/sample.ts'

const most = 512

/**
 * A job's samples, thinned so that any length of job fits: when the outline is full, every second row
 * goes. Counters are cumulative, so rates stay right; the memory of a dropped row lives on in its neighbour
 * where it was higher.
 */
export class Outline {
  rows: SampleRow[] = []
  #stride = 1
  #skipped = 0
  #highest = -Infinity

  add(row: SampleRow): void {
    const memory = row[sampleIndex.memory_bytes] ?? NaN
    if (memory > this.#highest) this.#highest = memory
    if (++this.#skipped < this.#stride) return
    const kept = row.slice()
    if (this.#highest > memory) kept[sampleIndex.memory_bytes] = this.#highest
    this.rows.push(kept)
    this.#skipped = 0
    this.#highest = -Infinity
    if (this.rows.length >= most) this.#thin()
  }

  #thin(): void {
    const thinned: SampleRow[] = []
    for (let index = 0; index + 1 < this.rows.length; index += 2) {
      const dropped = this.rows[index]
      const kept = this.rows[index + 1]
      if (dropped === undefined || kept === undefined) break
      const at = sampleIndex.memory_bytes
      if ((dropped[at] ?? NaN) > (kept[at] ?? NaN)) kept[at] = dropped[at] ?? NaN
      thinned.push(kept)
    }
    this.rows = thinned
    this.#stride *= 2
  }
}
