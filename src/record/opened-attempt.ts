import { sampleWidth } from '../model/sample.ts'
import { StoreError } from '../store/errors.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import type { LifeSign } from '../store/spool/life-sign.ts'
import type { AttemptEnd, AttemptRef } from '../store/ledger/store.ts'

/** While it runs a job must not wait for others who have the ledger locked: whoever watches it would be late. */
const lockWait = { milliseconds: 50 }

/** Of samples that could not be written yet: 10 MB. */
const mostRowsLeft = 50_000

/** An attempt that is told to the ledger itself. What does not get in just now is held back and tried again. */
export class OpenedAttempt {
  readonly ref: AttemptRef
  readonly #ledger: Ledger
  #rowsLeft: Float64Array[] = []
  #samplesKept: number
  #sign: LifeSign | undefined

  constructor(ledger: Ledger, ref: AttemptRef) {
    this.#ledger = ledger
    this.ref = ref
    this.#samplesKept = ledger.jobs.samples(ref.taskId).length
    ledger.waitForLocks(lockWait)
  }

  /** From now on others see by this that its owner lives. */
  livesBy(sign: LifeSign): void {
    this.#sign = sign
  }

  beat(wallSeconds: number): void {
    this.#sign?.beat(wallSeconds)
  }

  /** To be called when how it ended is written down. */
  dropSign(): void {
    this.#sign?.remove()
  }

  /** Samples that are in the ledger. */
  get samplesKept(): number {
    return this.#samplesKept
  }

  /** Samples that are not. */
  get samplesLeft(): readonly Float64Array[] {
    return this.#rowsLeft
  }

  /** Throws only what was lost for good. */
  addSamples(rows: Float64Array, count: number): void {
    for (let row = 0; row < count; row++)
      this.#rowsLeft.push(rows.slice(row * sampleWidth, (row + 1) * sampleWidth))
    try {
      this.#writeSamples()
    } catch (error) {
      if (this.#rowsLeft.length <= mostRowsLeft) return
      this.#rowsLeft = []
      throw error
    }
  }

  /** Answers why the end is not in the ledger, where it is not. */
  finish(end: AttemptEnd): unknown {
    try {
      this.#writeSamples()
      this.#ledger.jobs.finish(this.ref, end)
      return this.#ledger.isInPlace() ? undefined : this.#takeBack()
    } catch (error) {
      return error
    } finally {
      this.#ledger.close()
    }
  }

  /** What was written went to a file that nobody will find. */
  #takeBack(): StoreError {
    this.#rowsLeft = this.#ledger.jobs.samples(this.ref.taskId).map((row) => Float64Array.from(row))
    this.#samplesKept = 0
    return new StoreError('unreadable', this.#ledger.path, 'it was removed while the job ran')
  }

  #writeSamples(): void {
    const count = this.#rowsLeft.length
    const rows = new Float64Array(count * sampleWidth)
    this.#rowsLeft.forEach((row, index) => rows.set(row, index * sampleWidth))
    this.#ledger.jobs.addSamples(this.ref, rows, count)
    this.#samplesKept += count
    this.#rowsLeft = []
  }
}
