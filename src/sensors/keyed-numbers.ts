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

  /** Keys are given as they stand in the file, with their colon where they have one. */
  constructor(keys: readonly Key[]) {
    this.#keys = keys
    this.#words = keys.map((key) => wordBytes(key))
    for (const word of this.#words) this.#firstBytes[word[0] ?? 0] = 1
    this.#numbers = new Float64Array(keys.length)
  }

  /** Looks through the whole file. The first line of a key counts. */
  find(bytes: Uint8Array, length: number): void {
    const scan = this.#scan
    this.#numbers.fill(Number.NaN)
    scan.begin(bytes, length)
    while (scan.position < scan.end) {
      if (this.#firstBytes[scan.peek()] === 1) this.#take()
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
    for (let index = 0; index < this.#words.length; index += 1) {
      const word = this.#words[index]
      if (word === undefined || !scan.accept(word)) continue
      if (isBlank(scan.peek())) {
        const found = scan.nextNumber()
        if (scan.endsWord() && Number.isNaN(this.#numbers[index] ?? 0)) this.#numbers[index] = found
        return
      }
      // The key is only the beginning of a longer one, as `user` is of `user_usec`.
      scan.position = start
    }
  }
}

const isBlank = (byte: number): boolean => byte === 32 || byte === 9
