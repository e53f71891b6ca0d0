import { formatCount } from '../../model/count.ts'
/** More would fill the memory: a job takes about a kilobyte, and its text besides. */
const mostThings = 1_000_000
const mostCharacters = 500_000_000

/** How much the items of one file may expand to, all of them together. */
export class Room {
  #things = 0
  #characters = 0

  /** Takes room for so many things with so much text each; answers why there is none, before anything is made. */
  take(things: number, charactersEach: number): string | undefined {
    const before = this.#things
    this.#things += things
    this.#characters += things * charactersEach
    if (this.#things > mostThings) {
      const besides = before === 0 ? '' : ` in addition to the ${formatCount(before)} before`
      return `the parameters have ${formatCount(things)} combinations${besides}; a file may have at most ${formatCount(mostThings)}`
    }
    if (this.#characters > mostCharacters)
      return `${formatCount(things)} combinations of this much text make ${formatCount(this.#characters)} characters; at most ${formatCount(mostCharacters)} are allowed`
    return undefined
  }
}
