/** Of time, as fine as it matters to what takes some milliseconds. */
const stepsPerSecond = 100

/** What is to happen when, in small steps: cheap for millions of things that are never far ahead. */
export class Calendar<Event> {
  readonly #steps: (Event[] | undefined)[] = []

  at(seconds: number, event: Event): void {
    const place = Math.max(0, Math.ceil(seconds * stepsPerSecond))
    const there = this.#steps[place]
    if (there === undefined) this.#steps[place] = [event]
    else there.push(event)
  }

  /** All that happens at one of `stepsIn`, which is then over. */
  take(step: number): readonly Event[] {
    const events = this.#steps[step] ?? []
    this.#steps[step] = undefined
    return events
  }
}

/** The number of each step and its time, in seconds. */
export function* stepsIn(seconds: number): Iterable<readonly [step: number, now: number]> {
  for (let step = 0; step < seconds * stepsPerSecond; step += 1) yield [step, step / stepsPerSecond]
}
