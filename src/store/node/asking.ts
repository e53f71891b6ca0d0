import type { SQLInputValue } from 'node:sqlite'
import type { Connection } from '../sqlite/connection.ts'
import type { Row } from '../sqlite/row.ts'

/** A statement, and what is made of each row. A row is only there while it is looked at. */
export interface Wanted {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
  readonly make: (row: Row) => unknown
}

/**
 * An answer on its way: it says which rows it wants next, and is given what was made of them. So the same words ask a file,
 * which answers at once, and a server, which is waited for.
 */
export type Asking<T> = Generator<Wanted, T, readonly unknown[]>

/** Wants the rows of a statement. */
export function* rowsOf<T>(
  sql: string,
  values: readonly SQLInputValue[],
  make: (row: Row) => T,
): Asking<T[]> {
  return (yield { sql, values, make }) as T[]
}

/** Wants the first row, if there is one. */
export function* firstOf<T>(
  sql: string,
  values: readonly SQLInputValue[],
  make: (row: Row) => T,
): Asking<T | undefined> {
  const [first] = yield* rowsOf(sql, values, make)
  return first
}

/** Has a file answer. */
export function answerAtOnce<T>(connection: Connection, asking: Asking<T>): T {
  let step = asking.next()
  while (step.done !== true) {
    const { sql, values, make } = step.value
    step = asking.next(connection.map(sql, values, make))
  }
  return step.value
}
