import type { Job } from '../../model/job.ts'
import type { Machine, Owner } from '../../model/machine.ts'
import type { Columns } from '../../model/series.ts'
import { openLedgerToWrite } from '../../record/open-ledger.ts'
import { Recording } from '../../record/recording.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import type { AttemptStart } from '../../store/ledger/store.ts'
import { isOnNetwork } from '../../store/network-disk.ts'
import type { System } from '../../system/system.ts'
import { AttemptInLedger, type AttemptRecording } from './attempt-in-ledger.ts'

/** Others have the ledger locked for a moment at most; jobs do not wait for those who take longer. */
const lockWait = { milliseconds: 50 }
/** A ledger that cannot be opened is tried again after so long. */
const againSeconds = 30
/** Whether a newer jobmeter has upgraded it is asked so often. */
const versionSeconds = 1

type BegunAttempt = Pick<AttemptStart, 'taskId' | 'user' | 'intervalSeconds'>

interface Circumstances {
  readonly system: System
  readonly ledger: string
  readonly machine: Machine
  readonly owner: Owner
  readonly columns: Columns
}

/**
 * Records what a worker runs. A file for each attempt, as single commands have, takes as long as a short job itself: so the
 * ledger stays open, and what has ended is written in one transaction with the next start. Where the ledger cannot be used
 * just now, and on disks that other machines write to, there are files after all.
 */
export class WorkerRecords {
  readonly #circumstances: Circumstances
  readonly #note: (message: string) => void
  #ledger: Ledger | undefined
  #triedAt = Number.NEGATIVE_INFINITY
  #versionAskedAt = Number.NEGATIVE_INFINITY
  readonly #running = new Set<AttemptInLedger>()
  /** Those that have ended, which the ledger does not know yet. */
  #ended: AttemptInLedger[] = []

  constructor(circumstances: Circumstances, note: (message: string) => void) {
    this.#circumstances = circumstances
    this.#note = note
    // What waits beside the ledger is taken in now, when there are no jobs that would wait for it.
    this.#open()
  }

  /** Writes an attempt down before it starts, as of the user who submitted it. */
  begin(job: Job, { taskId, user, intervalSeconds }: BegunAttempt): AttemptRecording {
    const { system, machine, owner } = this.#circumstances
    const startedAt = system.clock.wallSeconds()
    const start = { job, taskId, user, machine, owner, startedAt, intervalSeconds }
    return this.#beginInLedger(start) ?? this.#beginInFile(start)
  }

  /** From now on all that has ended is on this machine, and the samples of what runs. */
  keep(): void {
    for (const each of this.#running) each.writeSamples()
    if (this.#ended.length === 0) return
    const ended = this.#ended
    try {
      this.#inOneTransaction(() => {})
    } catch {
      // Whatever the reason: one of them may have been deleted by somebody.
      this.#endInFiles(ended)
    }
  }

  close(): void {
    this.keep()
    this.#leave()
  }

  #beginInLedger(start: AttemptStart): AttemptRecording | undefined {
    const { system, columns } = this.#circumstances
    const { tryLock } = system.files
    try {
      const attempt = this.#inOneTransaction((ledger) => {
        const ends = (each: AttemptInLedger): void => this.#hasEnded(each)
        return new AttemptInLedger(ledger, start, { columns, tryLock, ends })
      })
      this.#running.add(attempt)
      return attempt
    } catch {
      // What has ended is tried again before anybody hears of it.
      return undefined
    }
  }

  /** With the ends that wait. Throws where the ledger cannot be used. */
  #inOneTransaction<T>(work: (ledger: Ledger) => T): T {
    const ledger = this.#current()
    if (ledger === undefined) throw new Error('the ledger cannot be used')
    const answer = ledger.batchAsOne(() => {
      for (const each of this.#ended) each.writeEnd()
      return work(ledger)
    })
    this.#ended = []
    return answer
  }

  #beginInFile({ job, taskId, user, intervalSeconds }: AttemptStart): AttemptRecording {
    const { system, ledger, machine, columns } = this.#circumstances
    const machineMemoryBytes = machine.memoryBytes
    const circumstances = { machineMemoryBytes, intervalSeconds, columns, alone: false }
    return Recording.beginAtOnce(system, ledger, job, { ...circumstances, taskId, user })
  }

  #hasEnded(attempt: AttemptInLedger): void {
    const { ledger } = attempt
    this.#running.delete(attempt)
    if (!attempt.endedAlone()) {
      if (ledger === this.#ledger) this.#ended.push(attempt)
      else this.#endInFiles([attempt])
    }
    if (ledger !== this.#ledger) this.#closeIfFree(ledger)
  }

  #endInFiles(attempts: readonly AttemptInLedger[]): void {
    this.#ended = this.#ended.filter((each) => !attempts.includes(each))
    for (const attempt of attempts) {
      const told = attempt.problems.length
      attempt.writeEndToFile()
      for (const problem of attempt.problems.slice(told)) this.#note(problem)
    }
  }

  /** The ledger as it stands under its name. */
  #current(): Ledger | undefined {
    if (this.#ledger !== undefined && this.#isStale(this.#ledger)) this.#leave()
    if (this.#ledger === undefined) this.#open()
    return this.#ledger
  }

  #isStale(ledger: Ledger): boolean {
    if (!ledger.isInPlace()) return true
    const now = this.#circumstances.system.clock.monotonicSeconds()
    if (now - this.#versionAskedAt < versionSeconds) return false
    this.#versionAskedAt = now
    return !ledger.isOfThisVersion()
  }

  #open(): void {
    const { system, ledger } = this.#circumstances
    const now = system.clock.monotonicSeconds()
    if (now - this.#triedAt < againSeconds || isOnNetwork(ledger)) return
    this.#triedAt = now
    try {
      this.#ledger = openLedgerToWrite(system, ledger, { lockWait, onProblem: this.#note })
      this.#ledger.expectManyWrites()
    } catch (error) {
      this.#note(`records wait beside the ledger: ${error instanceof Error ? error.message : ''}`)
    }
  }

  #leave(): void {
    const left = this.#ledger
    this.#ledger = undefined
    this.#triedAt = Number.NEGATIVE_INFINITY
    this.#endInFiles(this.#ended)
    if (left !== undefined) this.#closeIfFree(left)
  }

  /** One that was replaced is closed after the last attempt that is in it. */
  #closeIfFree(ledger: Ledger): void {
    const isUsed = [...this.#running].some((attempt) => attempt.ledger === ledger)
    if (!isUsed) ledger.close()
  }
}
