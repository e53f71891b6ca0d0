/** The time between two looks. Something that happened in it may turn out at a later look only. */
export interface Span {
  readonly seconds: number
  isCounted: boolean
}

/** For how long processes of a job did what nobody sees. What several of them did between the same two looks counts once. */
export class UnseenTime {
  seconds = 0
  #lookedAt: number
  #sinceLookSeconds = 0
  #span: Span | undefined

  constructor(now: number) {
    this.#lookedAt = now
  }

  look(now: number): void {
    this.#sinceLookSeconds = now - this.#lookedAt
    this.#lookedAt = now
    this.#span = undefined
  }

  /** Between the last look and the one before. Made when it is asked for: of most looks nothing needs to be kept. */
  get lastSpan(): Span {
    return (this.#span ??= { seconds: this.#sinceLookSeconds, isCounted: false })
  }

  count(span: Span): void {
    if (span.isCounted) return
    span.isCounted = true
    this.seconds += span.seconds
  }
}
