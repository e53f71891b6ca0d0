/** Sorted, without repetition. Lists that are the same are the same object wherever that is cheap. */
export type Indices = readonly number[]

export const noIndices: Indices = []

/**
 * Things by name and by pattern. What matches a pattern is looked for once and answered as one shared
 * list: with a barrier of 1,000 × 1,000 jobs, a list for each job would be a million entries.
 */
export class NameIndex {
  readonly names: readonly string[]
  readonly #positions: ReadonlyMap<string, number>
  readonly #matches = new Map<string, Indices>()
  #sorted: Indices | null = null

  constructor(names: readonly string[]) {
    this.names = names
    // The first of two equal names counts; that there are two was reported.
    this.#positions = new Map(names.map((name, index) => [name, index] as const).toReversed())
  }

  find(name: string): number | undefined {
    return this.#positions.get(name)
  }

  matching(pattern: string): Indices {
    const known = this.#matches.get(pattern)
    if (known !== undefined) return known
    const found = this.#search(pattern)
    this.#matches.set(pattern, found)
    return found
  }

  /** `^name$` and `^start`, which most patterns are, need no look at every name. */
  #search(pattern: string): Indices {
    const literal = /^\^((?:[\w\s:/@%=,-]|\\[-.+*?^$()[\]{}|/\\])+)(\$?)$/.exec(pattern)
    if (literal === null) {
      const regex = new RegExp(pattern)
      return this.names.flatMap((name, index) => (regex.test(name) ? [index] : []))
    }
    const text = (literal[1] ?? '').replaceAll(/\\(.)/g, '$1')
    if (literal[2] !== '$') return this.#startingWith(text)
    const index = this.find(text)
    return index === undefined ? noIndices : [index]
  }

  #startingWith(text: string): Indices {
    this.#sorted ??= this.names
      .map((_, index) => index)
      .toSorted((a, b) => (this.#at(a) < this.#at(b) ? -1 : 1))
    const found: number[] = []
    for (let at = this.#firstNotBefore(text); at < this.#sorted.length; at++) {
      const index = this.#sorted[at] ?? 0
      if (!this.#at(index).startsWith(text)) break
      found.push(index)
    }
    return found.toSorted((a, b) => a - b)
  }

  #firstNotBefore(text: string): number {
    const sorted = this.#sorted ?? noIndices
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#at(sorted[middle] ?? 0) < text) low = middle + 1
      else high = middle
    }
    return low
  }

  #at(index: number): string {
    return this.names[index] ?? ''
  }
}

/** Joins lists, and answers one shared list for the same parts joined again. */
export class Unions {
  readonly #ids = new Map<Indices, number>()
  readonly #joined = new Map<string, Indices>()
  readonly #singles = new Map<number, Indices>()

  single(index: number): Indices {
    const known = this.#singles.get(index)
    if (known !== undefined) return known
    const made = [index]
    this.#singles.set(index, made)
    return made
  }

  join(parts: readonly Indices[]): Indices {
    const filled = [...new Set(parts.filter((part) => part.length > 0))]
    const [first = noIndices] = filled
    if (filled.length < 2) return first
    const key = filled
      .map((part) => this.#id(part))
      .toSorted((a, b) => a - b)
      .join(' ')
    const known = this.#joined.get(key)
    if (known !== undefined) return known
    const union = [...new Set(filled.flat())].toSorted((a, b) => a - b)
    this.#joined.set(key, union)
    return union
  }

  #id(part: Indices): number {
    const known = this.#ids.get(part)
    if (known !== undefined) return known
    this.#ids.set(part, this.#ids.size)
    return this.#ids.size - 1
  }
}
