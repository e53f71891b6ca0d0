import { HistoryBatch, type KeptFrom } from '../../store/node/history/history-batch.ts'
import type { NodeHistory } from '../../store/node/history/open-history.ts'
import { bucketOf, hourMs } from '../../store/node/buckets.ts'
import { daySeconds } from '../../model/time-parts.ts'
import { BadRecord } from '../bad-record.ts'
import type { Outcome } from '../tally.ts'
import { HostBook } from './host-book.ts'
import { nextRound } from './next-round.ts'
import type { SonarSample } from './sample.ts'
import type { SonarSysinfo } from './sysinfo-json.ts'

export interface SonarSettings {
  readonly kept: KeptFrom
  /** Samples that are farther apart have a gap between them. */
  readonly longestSeconds: number
  readonly nowSeconds: number
}

const mostRows = 15_000
const mostRounds = 5000
const mostHosts = 500

/** Puts samples into the database, many at once. */
export class SonarImport {
  readonly #history: NodeHistory
  readonly #settings: SonarSettings
  readonly #books = new Map<string, HostBook>()
  readonly #changed = new Set<HostBook>()
  #batch: HistoryBatch
  #rounds = 0

  constructor(history: NodeHistory, settings: SonarSettings) {
    this.#history = history
    this.#settings = settings
    this.#batch = new HistoryBatch(settings.kept)
  }

  /** A clock that is wrong would make the host look as if nobody had looked at it since. */
  refuseFuture(at: number): void {
    if (at > this.#settings.nowSeconds + daySeconds)
      throw new BadRecord('its time is in the future')
  }

  addSample(sample: SonarSample): Outcome {
    this.refuseFuture(sample.at)
    const book = this.#bookOf(sample.host)
    const atMs = Math.round(sample.at * 1e3)
    if (book.knows(atMs, bucketOf(atMs, hourMs))) return 'known'
    const before = book.countersBefore(atMs)
    const { longestSeconds } = this.#settings
    const { round, counters } = nextRound(sample, before, book.capacity, longestSeconds)
    book.record(atMs, round.seconds > 0, counters)
    this.#changed.add(book)
    this.#batch.add(round)
    this.#rounds += 1
    return 'added'
  }

  addSysinfo({ host, at, capacity }: SonarSysinfo): Outcome {
    this.refuseFuture(at)
    const book = this.#bookOf(host)
    if (!book.setCapacity(at, capacity)) return 'known'
    this.#changed.add(book)
    return 'added'
  }

  /** Whether it is time to commit: memory is bounded, and one transaction is worth many records. */
  get isFull(): boolean {
    return this.#batch.rows >= mostRows || this.#rounds >= mostRounds
  }

  commit(): void {
    if (this.#changed.size === 0) return
    this.#history.commit(
      this.#batch,
      [...this.#changed].map((book) => book.takeChanges()),
    )
    this.#changed.clear()
    this.#batch = new HistoryBatch(this.#settings.kept)
    this.#rounds = 0
    if (this.#books.size > mostHosts) this.#books.clear()
  }

  #bookOf(host: string): HostBook {
    const known = this.#books.get(host)
    if (known !== undefined) return known
    const book = new HostBook(host, this.#history)
    this.#books.set(host, book)
    return book
  }
}
