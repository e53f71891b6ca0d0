import { bringUpToDate, isPassing, ledgerAsItIs, openLedgerToServe } from '../record/open-ledger.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import { readerOf, type LedgerReader } from '../store/ledger/ledger-reader.ts'
import { DueFiles } from '../store/spool/due-files.ts'
import type { System } from '../system/system.ts'

/** How often what waits is taken in, however many ask. */
const paceSeconds = 1
/** The same where somebody asks for what is not there yet. */
const hurriedSeconds = 0.2
/** So many records are taken in at a time, in some 20 ms: nobody is served meanwhile. */
const recordsAtOnce = 200

/** An open ledger, and how many questions are being answered from it. */
interface Held {
  readonly ledger: Ledger
  /** The same, or together with what waits beside it and cannot be taken in. */
  view: Ledger
  /** Whether the file can be written to; else it is opened anew at each turn. */
  readonly isOurs: boolean
  questions: number
}

/**
 * A ledger that stays open for a server. It is opened when first asked; what waits beside it is taken in once a second at
 * most, and only while somebody asks. If the file is removed, replaced or upgraded, it is closed and opened anew; while
 * it cannot be read, who asks gets a `StoreError` that says why.
 */
export class ServedLedger {
  readonly path: string
  readonly #system: System
  readonly #tell: (problem: string) => void
  #due = new DueFiles(recordsAtOnce)
  #held: Held | undefined
  #updatedAt = Number.NEGATIVE_INFINITY
  #hurried: Promise<void> | undefined

  constructor(system: System, path: string, onProblem: (problem: string) => void = () => {}) {
    this.#system = system
    this.path = path
    this.#tell = once(onProblem)
  }

  /** The ledger stays open until the answer is there, whatever becomes of the file. */
  async ask<T>(question: (reader: LedgerReader, ledger: Ledger) => T | Promise<T>): Promise<T> {
    const held = this.#current()
    held.questions += 1
    try {
      return await question(readerOf(held.view), held.view)
    } finally {
      held.questions -= 1
      if (held !== this.#held) closeIfFree(held)
    }
  }

  /** Has the next question answered with what waits beside the ledger now. */
  async catchUp(): Promise<void> {
    // However many wait, what they wait for is taken in once.
    this.#hurried ??= this.#turnSoon()
    await this.#hurried
  }

  async #turnSoon(): Promise<void> {
    const { clock } = this.#system
    const seconds = Math.max(0, this.#updatedAt + hurriedSeconds - clock.monotonicSeconds())
    await new Promise<void>((resolve) => clock.after(seconds, resolve))
    this.#updatedAt = Number.NEGATIVE_INFINITY
    this.#hurried = undefined
  }

  close(): void {
    this.#leave()
  }

  #current(): Held {
    const now = this.#system.clock.monotonicSeconds()
    const isTurn = now - this.#updatedAt >= paceSeconds
    if (this.#held !== undefined && this.#isStale(this.#held, isTurn)) this.#leave()
    if (this.#held === undefined) this.#held = this.#open()
    else if (!isTurn) return this.#held
    if (this.#held.isOurs) this.#update(this.#held)
    this.#updatedAt = this.#system.clock.monotonicSeconds()
    return this.#held
  }

  #isStale({ ledger, isOurs }: Held, isTurn: boolean): boolean {
    if (!ledger.isInPlace()) return true
    return isTurn && (!isOurs || !ledger.isOfThisVersion())
  }

  #open(): Held {
    try {
      const ledger = openLedgerToServe(this.path, this.#tell)
      return { ledger, view: ledger, isOurs: true, questions: 0 }
    } catch (error) {
      if (!isPassing(error)) throw error
      const facts = { ledger: undefined, because: error }
      const ledger = ledgerAsItIs(this.#system, this.path, facts)
      return { ledger, view: ledger, isOurs: false, questions: 0 }
    }
  }

  #update(held: Held): void {
    const { ledger } = held
    try {
      const choose = (files: readonly string[]): readonly string[] =>
        this.#due.choose(files, this.#system.clock.monotonicSeconds())
      bringUpToDate(this.#system, ledger, this.path, this.#tell, choose)
      held.view = ledger
    } catch (error) {
      // What was chosen is still to be read.
      this.#due = new DueFiles(recordsAtOnce)
      if (!isPassing(error)) {
        this.#leave()
        throw error
      }
      this.#tell(error.message)
      held.view = ledgerAsItIs(this.#system, this.path, { ledger, because: error })
    }
  }

  #leave(): void {
    const held = this.#held
    this.#held = undefined
    this.#updatedAt = Number.NEGATIVE_INFINITY
    this.#due = new DueFiles(recordsAtOnce)
    if (held !== undefined) closeIfFree(held)
  }
}

function closeIfFree({ ledger, questions }: Held): void {
  if (questions === 0) ledger.close()
}

/** So many problems are remembered as told. */
const mostTold = 200

function once(onProblem: (problem: string) => void): (problem: string) => void {
  const told = new Set<string>()
  return (problem) => {
    if (told.has(problem) || told.size >= mostTold) return
    told.add(problem)
    onProblem(problem)
  }
}
