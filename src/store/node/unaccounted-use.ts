import { addAmounts, type AmountValues } from './round-values.ts'

export type UsageKeys = readonly [user: number, account: number, command: number]

/** What a job used before its account was known. */
export interface EarlierUse {
  /** In milliseconds since 1970. */
  readonly hour: number
  readonly keys: UsageKeys
  readonly amounts: AmountValues
}

/** A scheduler answers within a round or two; what nobody answers for need not be remembered for ever. */
const mostJobs = 1000

/**
 * Remembers under which names the use of jobs went into the hours while their account was not known, so that it can be
 * put where it belongs once it is.
 */
export class UnaccountedUse {
  readonly #byJob = new Map<number, EarlierUse[]>()

  note(jobId: number, hour: number, keys: UsageKeys, amounts: AmountValues): void {
    if (this.#byJob.size >= mostJobs && !this.#byJob.has(jobId)) this.#byJob.clear()
    const uses = this.#byJob.get(jobId) ?? []
    this.#byJob.set(jobId, uses)
    const same = uses.find((use) => use.hour === hour && use.keys.join() === keys.join())
    if (same === undefined) uses.push({ hour, keys, amounts: { ...amounts } })
    else addAmounts(same.amounts, amounts)
  }

  take(jobId: number): readonly EarlierUse[] {
    const uses = this.#byJob.get(jobId) ?? []
    this.#byJob.delete(jobId)
    return uses
  }

  /** What was noted last was undone with its transaction. */
  forget(): void {
    this.#byJob.clear()
  }
}
