/** An answer takes milliseconds; one that is not whole after so long never will be, though a byte comes now and then. */
const longestMs = 10_000
/** After one that was late, the next questions only find out whether there are answers again. */
const afterLateMs = 1000

/** How long a daemon may take for its answers: for each of them, and where that is limited, for all together. */
export class AnswerTime {
  readonly #longestMs: number
  readonly #waiting = new Set<(why: string) => void>()
  #wasLate = false
  #until = Infinity
  #cancel: () => void = () => {}
  #spent: string | null = null

  constructor(answerMs = longestMs) {
    this.#longestMs = answerMs
  }

  /** Why nothing more is asked; null while there is time. */
  get spent(): string | null {
    return this.#spent
  }

  get leftSeconds(): number {
    return Math.max(0, this.#until - performance.now()) / 1000
  }

  /** The last question had all its time and no answer. */
  get wasLate(): boolean {
    return this.#wasLate
  }

  /** From now on all questions have so long together, those under way included. */
  limit(seconds: number): void {
    this.unlimit()
    this.#until = performance.now() + seconds * 1000
    const late = setTimeout(() => {
      this.#wasLate ||= this.#waiting.size > 0
      this.#end(`no whole answer in ${seconds} s`)
    }, seconds * 1000)
    // Whoever waits for an answer keeps the program alive, the limit does not.
    late.unref()
    this.#cancel = () => clearTimeout(late)
  }

  /** Each question has its own time again. */
  unlimit(): void {
    this.#cancel()
    this.#until = Infinity
    this.#spent = null
  }

  /** Nobody waits any longer: all questions under way, and all to come, have no answer. */
  cut(why: string): void {
    this.#cancel()
    this.#until = -Infinity
    this.#end(why)
  }

  /** Of a question that is asked now: calls back if it has had its time. The answer is to be called when it is over. */
  begin(onLate: (why: string) => void): () => void {
    const ms = this.#wasLate ? Math.min(afterLateMs, this.#longestMs) : this.#longestMs
    let isLate = false
    const end = (why: string): void => {
      isLate = true
      onLate(why)
    }
    const late = setTimeout(() => {
      this.#wasLate = true
      end(`no whole answer in ${ms / 1000} s`)
    }, ms)
    this.#waiting.add(end)
    return () => {
      clearTimeout(late)
      this.#waiting.delete(end)
      if (!isLate) this.#wasLate = false
    }
  }

  #end(why: string): void {
    this.#spent = why
    for (const end of this.#waiting) end(why)
  }
}
