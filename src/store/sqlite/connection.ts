import { statSync } from 'node:fs'
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { asStoreError, type StoreError, type StoreKind } from '../errors.ts'
import { SoundRows } from '../sound-rows.ts'
import type { LockWait } from './lock-wait.ts'
import { LogFlusher } from './log-flusher.ts'
import type { Row } from './row.ts'
import { eachRow } from './row-view.ts'
import { Transactions } from './transactions.ts'

/** How a file is used, and who hears what is wrong with it. */
export interface ConnectionSettings {
  readonly journal: 'WAL' | 'DELETE'
  readonly lockWait: LockWait
  /** Without it, a ledger. */
  readonly kind?: StoreKind
  /** Why nothing can be written, where nothing can. */
  readonly refusal?: StoreError
  /** Hears of rows that cannot be read, and are passed over. */
  readonly onProblem?: (problem: string) => void
}

/** What is waited for at first by who wants to be told before he waits longer. */
const noticeMilliseconds = 3_000

/** How long the first wait of this kind is. */
export const shortWait = ({ milliseconds, onLong }: LockWait): number =>
  onLong === undefined ? milliseconds : Math.min(milliseconds, noticeMilliseconds)

/** An open SQLite file: prepares each statement once, when first used, and speaks StoreError only. */
export class Connection {
  readonly path: string
  readonly #settings: ConnectionSettings
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  readonly #transactions: Transactions
  #lockWait: LockWait
  #flusher: LogFlusher | undefined
  readonly #inode: number | 'none' | 'unknown'

  constructor(database: DatabaseSync, path: string, settings: ConnectionSettings) {
    this.#database = database
    this.path = path
    this.#settings = settings
    this.#lockWait = settings.lockWait
    this.#inode = inodeOf(path)
    // Without a log readers keep a commit waiting, which would then fail with all its work done.
    const begin = settings.journal === 'WAL' ? 'BEGIN IMMEDIATE' : 'BEGIN EXCLUSIVE'
    this.#transactions = new Transactions(database, path, begin, this)
  }

  /** Whether the file still stands under its name: somebody may have removed it. */
  get isInPlace(): boolean {
    const now = inodeOf(this.path)
    return now === 'unknown' || now === this.#inode
  }

  waitForLocks(lockWait: LockWait): void {
    this.#lockWait = lockWait
    this.#setBusyTimeout(shortWait(lockWait))
  }

  /**
   * Has the file keep its journal in the way that fits its disk. It does not matter that it fails while another has the
   * file open: who comes alone will do it.
   */
  chooseJournal(): void {
    try {
      this.#database.exec(`PRAGMA journal_mode = ${this.#settings.journal}`)
    } catch (error) {
      const failure = asStoreError(error, this.path, this.#settings.kind)
      if (failure.code !== 'locked') throw failure
    }
  }

  /** For who commits all the time: the log is synced in the background, and moved into the file once in some 350 commits. */
  expectManyCommits(): void {
    if (this.#settings.journal !== 'WAL' || this.#flusher !== undefined) return
    this.script('PRAGMA wal_autocheckpoint = 4000')
    try {
      this.#flusher = new LogFlusher(this.path)
    } catch {
      // There is no log where another has the file open in a different mode, or no descriptor is left.
    }
  }

  /** How often a transaction, or a part of one, was undone: what was learnt in it may no longer hold. */
  get timesUndone(): number {
    return this.#transactions.timesUndone
  }

  /** Whether we are inside `transaction`. */
  get isInTransaction(): boolean {
    return this.#transactions.isOpen
  }

  run(sql: string, ...values: SQLInputValue[]): { changes: number; lastId: number } {
    return this.#guardStatement(() => {
      const { changes, lastInsertRowid } = this.#prepare(sql).run(...values)
      return { changes: Number(changes), lastId: Number(lastInsertRowid) }
    })
  }

  rows(sql: string, ...values: SQLInputValue[]): Record<string, SQLOutputValue>[] {
    return this.#guardStatement(() => this.#prepareObjects(sql).all(...values))
  }

  row(sql: string, ...values: SQLInputValue[]): Record<string, SQLOutputValue> | undefined {
    return this.#guardStatement(() => this.#prepareObjects(sql).get(...values))
  }

  /** What is made of each row. A row is only there while it is looked at, and none may be kept. */
  map<T>(sql: string, values: readonly SQLInputValue[], make: (row: Row) => T): T[] {
    return this.guard(() => {
      const made: T[] = []
      eachRow(this.#prepare(sql), values, (row) => made.push(make(row)))
      return made
    })
  }

  /** The same, but a row that cannot be read is passed over, and told. */
  mapSound<T>(sql: string, values: readonly SQLInputValue[], make: (row: Row) => T): T[] {
    const sound = new SoundRows(make)
    this.guard(() => eachRow(this.#prepare(sql), values, (row) => sound.take(row)))
    const problem = sound.problem(this.path)
    if (problem !== undefined) this.#settings.onProblem?.(problem)
    return sound.made
  }

  /** Runs statements that are part of the program, never made of data. */
  script(sql: string): void {
    this.#guardStatement(() => this.#database.exec(sql))
  }

  /** One statement for many rows, for use inside a transaction; nothing is looked up per row. */
  prepare(sql: string): StatementSync {
    return this.guard(() => this.#prepare(sql))
  }

  /**
   * Runs it whole or not at all. The write lock is taken first, so it cannot fail half-way for want of it.
   * Inside another transaction it is a part of that one, but still whole or not at all: who
   * catches its error may go on with the rest.
   */
  transaction<T>(work: () => T): T {
    return this.batch(() => this.guard(work))
  }

  /** The same for work that is not ours, whose errors are not the ledger's. */
  batch<T>(work: () => T): T {
    const answer = this.#transactions.batch(work)
    if (!this.isInTransaction) this.#flusher?.committed()
    return answer
  }

  /** The same, but where a part of it fails the whole does, even if the error was caught: parts need no savepoints. */
  batchAsOne<T>(work: () => T): T {
    const answer = this.#transactions.batchAsOne(work)
    if (!this.isInTransaction) this.#flusher?.committed()
    return answer
  }

  /** Turns whatever it throws into a StoreError. */
  guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      const failure = asStoreError(error, this.path, this.#settings.kind)
      throw failure.code === 'unreadable' ? (this.#settings.refusal ?? failure) : failure
    }
  }

  close(): void {
    this.#flusher?.close()
    this.#statements.clear()
    if (this.#database.isOpen) this.guard(() => this.#database.close())
  }

  /** A statement that met a lock has done nothing, and may be tried again. */
  #guardStatement<T>(statement: () => T): T {
    return this.guard(() => {
      const { milliseconds, onLong } = this.#lockWait
      if (onLong === undefined) return statement()
      try {
        return statement()
      } catch (error) {
        if (
          this.isInTransaction ||
          asStoreError(error, this.path, this.#settings.kind).code !== 'locked'
        )
          throw error
      }
      onLong()
      this.#setBusyTimeout(milliseconds)
      try {
        return statement()
      } finally {
        this.#setBusyTimeout(shortWait(this.#lockWait))
      }
    })
  }

  #setBusyTimeout(milliseconds: number): void {
    this.#database.exec(`PRAGMA busy_timeout = ${milliseconds}`)
  }

  /** `map` may have asked in the same words, and has rows come as arrays. */
  #prepareObjects(sql: string): StatementSync {
    const statement = this.#prepare(sql)
    statement.setReturnArrays(false)
    return statement
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.#database.prepare(sql)
    // Numbers above 2^53 that fit 64 bits are stored as integers, and reading those as numbers throws.
    statement.setReadBigInts(true)
    this.#statements.set(sql, statement)
    return statement
  }
}

function inodeOf(path: string): number | 'none' | 'unknown' {
  try {
    return statSync(path, { throwIfNoEntry: false })?.ino ?? 'none'
  } catch {
    // A folder that we may not look into, or links that lead in a circle.
    return 'unknown'
  }
}
