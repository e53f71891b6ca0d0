import { formatCount } from '../../model/count.ts'
import { compilePattern } from './name-pattern.ts'

/** Sorted, without repetition. Lists that are the same are the same object wherever that is cheap. */
export type Indices = readonly number[]

export const noIndices: Indices = []

export const isIndices = (found: Indices | { readonly fault: string }): found is Indices =>
  Array.isArray(found)

/**
 * Things by name and by pattern. What matches a pattern is looked for once and answered as one shared
 * list: with a barrier of 1,000 × 1,000 jobs, a list for each job would be a million entries.
 */
export class NameIndex {
  readonly names: readonly string[]
  readonly #positions: ReadonlyMap<string, number>
  readonly #matches = new Map<string, Indices>()
  #sorted: Indices | null = null
  /** Half a microsecond each: a pattern for each of 100,000 jobs, over as many names, would take an hour and more. */
  readonly #mostComparisons: number
  #comparisons = 0

  constructor(names: readonly string[], mostComparisons = 100_000_000) {
    this.names = names
    this.#mostComparisons = mostComparisons
    // The first of two equal names counts; that there are two was reported.
    this.#positions = new Map(names.map((name, index) => [name, index] as const).toReversed())
  }

  find(name: string): number | undefined {
    return this.#positions.get(name)
  }

  /** Answers what is wrong with the pattern where something is. */
  matching(pattern: string): Indices | { readonly fault: string } {
    const known = this.#matches.get(pattern)
    if (known !== undefined) return known
    const found = this.#search(pattern)
    if (isIndices(found)) this.#matches.set(pattern, found)
    return found
  }

  #search(pattern: string): Indices | { readonly fault: string } {
    const compiled = compilePattern(pattern)
    switch (compiled.kind) {
      case 'wrong':
        return { fault: compiled.message }
      case 'start':
        return this.#startingWith(compiled.text)
      case 'whole': {
        const index = this.find(compiled.name)
        return index === undefined ? noIndices : [index]
      }
      case 'expression':
        return this.#matchedBy(compiled.matches)
    }
  }

  #matchedBy(matches: (name: string) => boolean): Indices | { readonly fault: string } {
    this.#comparisons += this.names.length
    if (this.#comparisons > this.#mostComparisons)
      return {
        fault: `matching the patterns of this file would take more than ${formatCount(this.#mostComparisons)} comparisons; begin them with ^ and plain text, which is looked up quickly`,
      }
    return this.names.flatMap((name, index) => (matches(name) ? [index] : []))
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
