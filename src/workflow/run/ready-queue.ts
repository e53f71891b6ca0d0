import type { Claim } from '../../model/claim.ts'
import type { Resources } from './capacity.ts'

/** A job that does not fit may be overtaken so often; then it is waited for, and nothing else starts. */
const mostOvertakes = 32

interface Bucket {
  readonly claim: Claim
  /** Positions by rank, as a binary heap. */
  readonly heap: number[]
}

/**
 * Jobs that could start, best rank first. Those with the same claim share a bucket, so that looking for one that
 * fits costs as much as there are kinds of claims, not jobs.
 */
export class ReadyQueue {
  readonly #buckets = new Map<string, Bucket>()
  readonly #ranks: ArrayLike<number>
  readonly #overtaken = new Map<number, number>()
  #size = 0

  /** `ranks[position]`: lower goes first. */
  constructor(ranks: ArrayLike<number>) {
    this.#ranks = ranks
  }

  get size(): number {
    return this.#size
  }

  add(position: number, claim: Claim): void {
    const key = `${claim.cpus}/${claim.memoryBytes}/${claim.gpus}`
    let bucket = this.#buckets.get(key)
    if (bucket === undefined) {
      bucket = { claim, heap: [] }
      this.#buckets.set(key, bucket)
    }
    this.#push(bucket.heap, position)
    this.#size += 1
  }

  /** Takes the best job that fits, if any may start now. */
  take(resources: Resources): number | undefined {
    let best: Bucket | undefined
    let first: Bucket | undefined
    for (const bucket of this.#buckets.values()) {
      if (bucket.heap.length === 0) continue
      if (this.#before(bucket, first)) first = bucket
      if (resources.fits(bucket.claim) && this.#before(bucket, best)) best = bucket
    }
    if (best === undefined || first === undefined) return undefined
    if (best !== first && !this.#mayOvertake(first.heap[0] ?? 0)) return undefined
    this.#size -= 1
    return this.#pop(best.heap)
  }

  /** Takes out everything, as when the run is cut short. */
  clear(): number[] {
    const all = [...this.#buckets.values()].flatMap((bucket) => bucket.heap)
    this.#buckets.clear()
    this.#size = 0
    return all
  }

  #before(bucket: Bucket, other: Bucket | undefined): boolean {
    return other === undefined || this.#rank(bucket.heap[0]) < this.#rank(other.heap[0])
  }

  #mayOvertake(position: number): boolean {
    const overtakes = (this.#overtaken.get(position) ?? 0) + 1
    if (overtakes > mostOvertakes) return false
    this.#overtaken.set(position, overtakes)
    return true
  }

  #rank(position: number | undefined): number {
    return position === undefined ? Infinity : (this.#ranks[position] ?? Infinity)
  }

  #push(heap: number[], position: number): void {
    let at = heap.push(position) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#rank(heap[parent]) <= this.#rank(position)) break
      heap[at] = heap[parent] ?? position
      at = parent
    }
    heap[at] = position
  }

  #pop(heap: number[]): number | undefined {
    const top = heap[0]
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return top
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      if (left >= heap.length) break
      const right = left + 1
      const child = this.#rank(heap[right]) < this.#rank(heap[left]) ? right : left
      if (this.#rank(heap[child]) >= this.#rank(last)) break
      heap[at] = heap[child] ?? last
      at = child
    }
    heap[at] = last
    return top
  }
}
