/** More would fill the memory: a job takes about a kilobyte, and its text besides. */
const mostThings = 1_000_000
const mostCharacters = 500_000_000

const inWords = (count: number): string => count.toLocaleString('en')

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
      const besides = before === 0 ? '' : ` besides the ${inWords(before)} before`
      return `the parameters have ${inWords(things)} combinations${besides}; at most ${inWords(mostThings)} are possible in a file`
    }
    if (this.#characters > mostCharacters)
      return `${inWords(things)} combinations of so much text are ${inWords(this.#characters)} characters; at most ${inWords(mostCharacters)} are possible`
    return undefined
  }
}
