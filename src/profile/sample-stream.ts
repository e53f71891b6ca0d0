/** Who does not keep up gets the latest of so many. */
const mostWaiting = 1000

/** Hands values to an async iterator as they come, until the end. */
export class SampleStream<T> implements AsyncIterableIterator<T> {
  readonly #waiting: T[] = []
  readonly #takers: ((result: IteratorResult<T, undefined>) => void)[] = []
  readonly #onClose: () => void
  #isOver = false

  constructor(onClose: () => void) {
    this.#onClose = onClose
  }

  push(value: T): void {
    if (this.#isOver) return
    const taker = this.#takers.shift()
    if (taker !== undefined) {
      taker({ value, done: false })
      return
    }
    this.#waiting.push(value)
    if (this.#waiting.length > mostWaiting) this.#waiting.shift()
  }

  /** What is waiting can still be taken. */
  end(): void {
    this.#isOver = true
    for (const taker of this.#takers.splice(0)) taker({ value: undefined, done: true })
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const value = this.#waiting.shift()
    if (value !== undefined) return Promise.resolve({ value, done: false })
    if (this.#isOver) return Promise.resolve({ value: undefined, done: true })
    return new Promise((resolve) => this.#takers.push(resolve))
  }

  return(): Promise<IteratorResult<T, undefined>> {
    this.#waiting.length = 0
    this.end()
    this.#onClose()
    return Promise.resolve({ value: undefined, done: true })
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
