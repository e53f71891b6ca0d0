import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../errors.ts'

/** Runs statements, and says in a StoreError what is wrong with them. */
interface Statements {
  run(sql: string): unknown
  script(sql: string): void
}

/** The transactions of one open SQLite file, and the parts in them. */
export class Transactions {
  readonly #database: DatabaseSync
  readonly #path: string
  readonly #begin: 'BEGIN IMMEDIATE' | 'BEGIN EXCLUSIVE'
  readonly #statements: Statements
  #isOpen = false
  #timesUndone = 0
  /** In a transaction whose parts stand or fall together: why it is to fail, once one of them has. */
  #asOne: { failure: Error | undefined } | undefined

  constructor(
    database: DatabaseSync,
    path: string,
    begin: 'BEGIN IMMEDIATE' | 'BEGIN EXCLUSIVE',
    statements: Statements,
  ) {
    this.#database = database
    this.#path = path
    this.#begin = begin
    this.#statements = statements
  }

  /** How often a transaction, or a part of one, was undone. */
  get timesUndone(): number {
    return this.#timesUndone
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Runs it whole or not at all; inside another it is a part of that one. */
  batch<T>(work: () => T): T {
    if (this.#isOpen) return this.#part(work)
    this.#statements.run(this.#begin)
    this.#isOpen = true
    try {
      const answer = work()
      this.#statements.run('COMMIT')
      return answer
    } catch (error) {
      this.#rollBack()
      throw error
    } finally {
      this.#isOpen = false
    }
  }

  /** The same, but where a part of it fails the whole does, even if the error was caught: parts need no savepoints. */
  batchAsOne<T>(work: () => T): T {
    if (this.#isOpen) return this.#part(work)
    return this.batch(() => {
      const asOne: { failure: Error | undefined } = { failure: undefined }
      this.#asOne = asOne
      try {
        const answer = work()
        if (asOne.failure !== undefined) throw asOne.failure
        return answer
      } finally {
        this.#asOne = undefined
      }
    })
  }

  #part<T>(work: () => T): T {
    if (!this.#database.isTransaction)
      throw new StoreError('full', this.#path, 'the changes so far were taken back by SQLite')
    if (this.#asOne !== undefined) return this.#partOfOne(work, this.#asOne)
    this.#statements.run('SAVEPOINT part')
    try {
      const answer = work()
      this.#statements.run('RELEASE part')
      return answer
    } catch (error) {
      this.#timesUndone += 1
      if (this.#database.isTransaction) this.#statements.script('ROLLBACK TO part; RELEASE part')
      throw error
    }
  }

  #partOfOne<T>(work: () => T, asOne: { failure: Error | undefined }): T {
    try {
      return work()
    } catch (error) {
      asOne.failure ??= error instanceof Error ? error : new Error(String(error))
      throw error
    }
  }

  // After a full disk SQLite has often rolled back by itself; and an error here would hide the
  // one that led to it.
  #rollBack(): void {
    this.#timesUndone += 1
    if (!this.#database.isTransaction) return
    try {
      this.#database.exec('ROLLBACK')
    } catch {
      this.#database.close()
    }
  }
}
