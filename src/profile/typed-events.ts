/** What is told of an event, by its name. */
type EventMap = Readonly<Record<string, unknown>>

/** Tells listeners of events. What a listener throws goes to whoever hears of problems, and to nobody else. */
export class TypedEvents<Events extends EventMap> {
  readonly #listeners = new Map<keyof Events, Set<(detail: never) => void>>()
  readonly #onProblem: (problem: string) => void
  #isReporting = false

  constructor(onProblem: (problem: string) => void) {
    this.#onProblem = onProblem
  }

  /** The answer takes the listener away again. */
  on<Name extends keyof Events>(name: Name, listener: (detail: Events[Name]) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  emit<Name extends keyof Events>(name: Name, detail: Events[Name]): void {
    for (const listener of this.#listeners.get(name) ?? [])
      this.#safely(() => (listener as (detail: Events[Name]) => void)(detail), String(name))
  }

  /** Nobody could catch what is thrown here: a timer called us. */
  #safely(call: () => void, name: string): void {
    try {
      call()
    } catch (error) {
      this.report(`a listener of ${name} failed: ${String(error)}`)
    }
  }

  report(problem: string): void {
    // Who is told of problems has one of its own, and there is nobody else to tell.
    if (this.#isReporting) return
    this.#isReporting = true
    try {
      this.#onProblem(problem)
    } catch {
      // The same.
    }
    this.#isReporting = false
  }
}
