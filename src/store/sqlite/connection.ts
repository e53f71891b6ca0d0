import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { asStoreError, StoreError } from '../errors.ts'

/** An open SQLite file: prepares each statement once, when first used, and speaks StoreError only. */
export class Connection {
  readonly path: string
  readonly #journal: 'WAL' | 'DELETE'
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #open = false

  constructor(database: DatabaseSync, path: string, journal: 'WAL' | 'DELETE') {
    this.#database = database
    this.path = path
    this.#journal = journal
  }

  /**
   * Has the file keep its journal in the way that fits its disk. It does not matter that it fails while another has the
   * file open: who comes alone will do it.
   */
  chooseJournal(): void {
    try {
      this.#database.exec(`PRAGMA journal_mode = ${this.#journal}`)
    } catch (error) {
      const failure = asStoreError(error, this.path)
      if (failure.code !== 'locked') throw failure
    }
  }

  /** Whether we are inside `transaction`. */
  get isInTransaction(): boolean {
    return this.#open
  }

  run(sql: string, ...values: SQLInputValue[]): { changes: number; lastId: number } {
    return this.guard(() => {
      const { changes, lastInsertRowid } = this.#prepare(sql).run(...values)
      return { changes: Number(changes), lastId: Number(lastInsertRowid) }
    })
  }

  rows(sql: string, ...values: SQLInputValue[]): Record<string, SQLOutputValue>[] {
    return this.guard(() => this.#prepare(sql).all(...values))
  }

  row(sql: string, ...values: SQLInputValue[]): Record<string, SQLOutputValue> | undefined {
    return this.guard(() => this.#prepare(sql).get(...values))
  }

  /** What is made of each row; the rows themselves are never all held at once. */
  map<T>(
    sql: string,
    values: readonly SQLInputValue[],
    make: (row: Record<string, SQLOutputValue>) => T,
  ): T[] {
    return this.guard(() => {
      const made: T[] = []
      for (const row of this.#prepare(sql).iterate(...values)) made.push(make(row))
      return made
    })
  }

  /** Runs statements that are part of the program, never made of data. */
  script(sql: string): void {
    this.guard(() => this.#database.exec(sql))
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
    if (this.#open) return this.#part(work)
    this.run('BEGIN IMMEDIATE')
    this.#open = true
    try {
      const answer = work()
      this.run('COMMIT')
      return answer
    } catch (error) {
      this.#rollBack()
      throw error
    } finally {
      this.#open = false
    }
  }

  /** Turns whatever it throws into a StoreError. */
  guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw asStoreError(error, this.path)
    }
  }

  close(): void {
    this.#statements.clear()
    if (this.#database.isOpen) this.guard(() => this.#database.close())
  }

  #part<T>(work: () => T): T {
    if (!this.#database.isTransaction)
      throw new StoreError('full', this.path, 'the changes so far were taken back by SQLite')
    this.run('SAVEPOINT part')
    try {
      const answer = work()
      this.run('RELEASE part')
      return answer
    } catch (error) {
      if (this.#database.isTransaction) this.script('ROLLBACK TO part; RELEASE part')
      throw error
    }
  }

  // After a full disk SQLite has often rolled back by itself; and an error here would hide the
  // one that led to it.
  #rollBack(): void {
    if (!this.#database.isTransaction) return
    try {
      this.#database.exec('ROLLBACK')
    } catch {
      this.#database.close()
    }
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
