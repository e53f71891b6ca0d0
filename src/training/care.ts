/** Keeps what fails here from the training: it is told once, and the training goes on. */
export class Care {
  readonly #tell: (message: string) => void
  readonly #told = new Set<string>()

  constructor(tell: (message: string) => void) {
    this.#tell = tell
  }

  /** Does something that the training must not fail by. */
  attempt<T>(what: string, action: () => T): T | undefined {
    try {
      return action()
    } catch (error) {
      this.warn(`${what} failed: ${wordsOf(error)}`)
      return undefined
    }
  }

  /** Each thing once. Who is told of it cannot stop the training either. */
  warn(message: string): void {
    if (this.#told.has(message)) return
    this.#told.add(message)
    try {
      this.#tell(message)
    } catch {
      // There is nobody left to tell.
    }
  }
}

export const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
