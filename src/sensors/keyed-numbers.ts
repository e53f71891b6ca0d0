import { ByteScan, wordBytes } from './byte-scan.ts'

/**
 * Finds the numbers of a file of lines that each begin with a key, as in `VmRSS:   1772 kB` or
 * `oom_kill 0`. Made once per file format; `find` allocates nothing.
 */
export class KeyedNumbers<Key extends string> {
  readonly #keys: readonly Key[]
  readonly #words: readonly Uint8Array[]
  /** Per byte, whether a key begins with it: most lines are passed by after one look. */
  readonly #firstBytes = new Uint8Array(256)
  readonly #numbers: Float64Array
  readonly #scan = new ByteScan()
  /** Keys not found yet in this file. */
  #missing = 0
  /** The key to try first: the kernel writes them in the same order each time. */
  #next = 0

  /** Keys are given as they stand in the file, with their colon where they have one, and best in its order. */
  constructor(keys: readonly Key[]) {
    this.#keys = keys
    this.#words = keys.map((key) => wordBytes(key))
    for (const word of this.#words) this.#firstBytes[word[0] ?? 0] = 1
    this.#numbers = new Float64Array(keys.length)
  }

  /** Looks through the file until it has all. The first line of a key counts. */
  find(bytes: Uint8Array, length: number): void {
    const scan = this.#scan
    this.#numbers.fill(Number.NaN)
    this.#missing = this.#keys.length
    this.#next = 0
    scan.begin(bytes, length)
    const { end } = scan
    while (scan.position < end) {
      if (this.#firstBytes[bytes[scan.position] ?? 0] === 1) this.#take()
      if (this.#missing === 0) return
      scan.skipLine()
    }
  }

  /** What the last `find` saw under a key; NaN if the line was not there or held no whole number. */
  number(key: Key): number {
    return this.#numbers[this.#keys.indexOf(key)] ?? Number.NaN
  }

  #take(): void {
    const scan = this.#scan
    const start = scan.position
    const { length } = this.#words
    for (let tried = 0; tried < length; tried += 1) {
      const index = (this.#next + tried) % length
      const word = this.#words[index]
      if (word === undefined || !scan.accept(word)) continue
      if (isBlank(scan.peek())) {
        const found = scan.nextNumber()
        if (scan.endsWord()) this.#note(index, found)
        return
      }
      // The key is only the beginning of a longer one, as `user` is of `user_usec`.
      scan.position = start
    }
  }

  #note(index: number, found: number): void {
    if (Number.isNaN(found) || !Number.isNaN(this.#numbers[index] ?? 0)) return
    this.#numbers[index] = found
    this.#missing -= 1
    this.#next = index + 1
  }
}

const isBlank = (byte: number): boolean => byte === 32 || byte === 9
