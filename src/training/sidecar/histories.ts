import { MessageError } from './message.ts'
import type { Result } from './handlers.ts'

/** In characters of JSON: some milliseconds of work, so that the marks of a training do not wait. */
const portionCharacters = 200_000

/** A client that stops asking leaves its history behind; of so many the oldest is given up. */
const mostOpen = 16

/** Histories that clients are reading, portion by portion. */
export class Histories {
  readonly #open = new Map<string, Generator<unknown, void>>()
  #begun = 0

  begin(jobs: Generator<unknown, void>): Result {
    this.#begun += 1
    return this.#portion(String(this.#begun), jobs)
  }

  goOn(name: string): Result {
    const jobs = this.#open.get(name)
    if (jobs === undefined) throw new MessageError(`there is no more of history "${name}"`)
    this.#open.delete(name)
    return this.#portion(name, jobs)
  }

  #portion(name: string, jobs: Generator<unknown, void>): Result {
    const portion: unknown[] = []
    for (let characters = 0; characters < portionCharacters;) {
      const { value, done } = jobs.next()
      if (done === true) return { jobs: portion, next: null }
      portion.push(value)
      characters += JSON.stringify(value).length
    }
    this.#open.set(name, jobs)
    this.#giveUpOldest()
    return { jobs: portion, next: name }
  }

  #giveUpOldest(): void {
    const [oldest] = this.#open
    if (oldest === undefined || this.#open.size <= mostOpen) return
    this.#open.delete(oldest[0])
    oldest[1].return()
  }
}
