import type { Clock } from '../../system/system.ts'
import { Buckets } from './buckets.ts'

/** `refused`: what was refused or failed. */
export const logKinds = ['refused', 'all', 'off'] as const
export type LogKind = (typeof logKinds)[number]

/** What the log tells of a request: never its address with the query, its headers or its body, which may hold secrets. */
export interface Answered {
  readonly method: string
  /** The pattern of the route, such as `/api/v1/jobs/:task_id`. */
  readonly route: string
  /** Null where nothing was refused, or the connection was just closed. */
  readonly status: number | null
  readonly user: string | null
  readonly address: string
  readonly reason: string
}

/** Of each reason: whoever is refused thousands of times a second shall neither fill a disk nor hide what others do. */
const lines = { perSecond: 5, burst: 100 }

/** One line of JSON for each request that was refused. */
export class RequestLog {
  readonly #write: (line: string) => void
  readonly #clock: Clock
  readonly #kind: LogKind
  readonly #lines: Buckets
  /** How many lines, by their reason. */
  readonly #leftOut = new Map<string, number>()

  constructor(write: (line: string) => void, clock: Clock, kind: LogKind) {
    this.#write = write
    this.#clock = clock
    this.#kind = kind
    this.#lines = new Buckets(lines, () => clock.monotonicSeconds())
  }

  get tellsAll(): boolean {
    return this.#kind === 'all'
  }

  tell(answered: Answered): void {
    if (this.#kind === 'off') return
    const { reason, status } = answered
    if (status !== null && status < 400) {
      this.#line(answered)
      return
    }
    const leftOut = this.#leftOut.get(reason) ?? 0
    if (this.#lines.take(reason) > 0) {
      this.#leftOut.set(reason, leftOut + 1)
      return
    }
    this.#leftOut.delete(reason)
    this.#line(leftOut === 0 ? answered : { ...answered, left_out: leftOut })
  }

  #line(facts: object): void {
    const time = new Date(this.#clock.wallSeconds() * 1000).toISOString()
    this.#write(`${JSON.stringify({ time, ...facts })}\n`)
  }
}
