import { JobSums } from '../../analysis/metrics/job-sums.ts'
import { LabelBook, type LabelLimits } from '../../analysis/metrics/label-book.ts'
import { runningSums } from '../../analysis/metrics/running-sums.ts'
import type { JobMetrics } from '../../model/metric-facts.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import type { RunningJobs } from './running-jobs.ts'

/** So many attempts are read at once: some 15 ms, in which nobody else is served. */
const portion = 2_000

/**
 * Sums over all attempts of a ledger, kept in memory: an update reads what is new since the one before, and looks again at what
 * ran then. Attempts that are pruned stay counted until the program ends: counters never go down. The first end of an
 * attempt that is seen counts, even if it was called interrupted and its runner comes back.
 */
export class LedgerSums {
  readonly #reader: LedgerReader
  readonly #runningJobs: RunningJobs
  readonly #pause: () => Promise<void>
  readonly #book: LabelBook
  readonly #sums: JobSums
  readonly #open = new Set<number>()
  #lastId = 0

  /** `pause` lets others go on between two portions. */
  constructor(
    reader: LedgerReader,
    runningJobs: RunningJobs,
    { limits, pause }: { readonly limits: LabelLimits; readonly pause: () => Promise<void> },
  ) {
    this.#reader = reader
    this.#runningJobs = runningJobs
    this.#pause = pause
    this.#book = new LabelBook(limits)
    this.#sums = new JobSums(this.#book)
  }

  async update(): Promise<JobMetrics> {
    const { jobs } = this.#reader
    const running = await this.#runningJobs()
    const known = await jobs.countedById([...this.#open])
    // Those that are no longer in the ledger never ended.
    this.#open.clear()
    for (const attempt of known) this.#count(attempt)
    for (let isMore = true; isMore;) {
      const found = await jobs.countedAfter(this.#lastId, portion)
      this.#lastId = found.lastId
      for (const attempt of found.attempts) this.#count(attempt)
      isMore = found.isMore
      if (isMore) await this.#pause()
    }
    this.#sums.settle()
    return {
      ended: this.#sums.ended,
      used: this.#sums.used,
      running: runningSums(running, this.#book),
    }
  }

  #count(attempt: Parameters<JobSums['add']>[0]): void {
    if (attempt.status === 'running') this.#open.add(attempt.attemptId)
    else this.#sums.add(attempt)
  }
}
