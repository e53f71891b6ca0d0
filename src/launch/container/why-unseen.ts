import type { Engine } from '../../sensors/container/engine-place.ts'

/**
 * Why nothing was measured of a container. Several engines may be asked for it: the trouble of one of them is not the reason
 * where another one knows the container, and where none does, it says whose it is.
 */
export class WhyUnseen {
  readonly #ofNone: string
  readonly #isOneOfMany: boolean
  readonly #troubles = new Map<Engine, string>()
  #known: string | undefined

  constructor(ofNone: string, isOneOfMany: boolean) {
    this.#ofNone = ofNone
    this.#isOneOfMany = isOneOfMany
  }

  /** Of the container itself, once an engine has told of it. */
  know(why: string): void {
    this.#known = why
  }

  /** Of an engine that may know the container or not. What came first says most: the rest follows from it. */
  trouble(engine: Engine, why: string): void {
    if (!this.#troubles.has(engine)) this.#troubles.set(engine, why)
  }

  get text(): string {
    if (this.#known !== undefined) return this.#known
    const [first] = this.#troubles.values()
    if (first === undefined) return this.#ofNone
    if (!this.#isOneOfMany) return first
    const told = [...this.#troubles].map(([engine, why]) => troubleOf(engine, why))
    return [this.#ofNone, ...told].join('; ')
  }
}

export const troubleOf = (engine: Engine, why: string): string =>
  `${engine} could not be asked (${why})`
