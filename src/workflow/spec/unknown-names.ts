import { compilePattern } from './name-pattern.ts'
import { namesInBraces } from './template.ts'

/**
 * Names that may be there though nobody knows: what items with faults would expand to. That one of these is not found
 * proves nothing.
 */
export class UnknownNames {
  readonly #isAll: boolean
  /** Beginnings and ends of names, without what parameters put between them. */
  readonly #ends: readonly { readonly start: string; readonly end: string }[]

  /** `templates`: names as they stand in the file. `isAll`: nothing is known of any name. */
  constructor(templates: readonly string[], isAll: boolean) {
    this.#isAll = isAll
    this.#ends = templates.map((template) =>
      namesInBraces(template).length === 0
        ? { start: template, end: template }
        : {
            start: template.slice(0, template.indexOf('{')),
            end: template.slice(template.lastIndexOf('}') + 1),
          },
    )
  }

  mayHold(name: string): boolean {
    return (
      this.#isAll ||
      this.#ends.some(({ start, end }) => name.startsWith(start) && name.endsWith(end))
    )
  }

  mayMatch(pattern: string): boolean {
    const compiled = compilePattern(pattern)
    if (compiled.kind === 'whole') return this.mayHold(compiled.name)
    if (compiled.kind !== 'start') return this.#isAll || this.#ends.length > 0
    const { text } = compiled
    return (
      this.#isAll ||
      this.#ends.some(({ start }) => start.startsWith(text) || text.startsWith(start))
    )
  }
}
