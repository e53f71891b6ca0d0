import type { SQLInputValue } from 'node:sqlite'
import type { Connection } from './connection.ts'

export type RowValues = Readonly<Record<string, SQLInputValue>>

/** Tables are named by the program and columns by its literals: no SQL is made of data. */
type Table = 'workflow' | 'job' | 'attempt'

/** A statement that was made of these columns, in this order. */
interface Written {
  readonly names: readonly string[]
  readonly sql: string
}

const inserts = new Map<Table, Written>()
const updates = new Map<Table, Written>()

/** Inserts a row; answers its id. */
export function insertRow(connection: Connection, table: Table, columns: RowValues): number {
  const sql = lastOrNew(inserts, table, columns, (names) => {
    const places = names.map(() => '?').join(', ')
    return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`
  })
  return connection.run(sql, ...Object.values(columns)).lastId
}

/** Changes the row of this id; false if there is none. */
export function updateRow(
  connection: Connection,
  table: Table,
  id: number,
  columns: RowValues,
): boolean {
  const sql = lastOrNew(updates, table, columns, (names) => {
    const assignments = names.map((name) => `${name} = ?`)
    return `UPDATE ${table} SET ${assignments.join(', ')} WHERE id = ?`
  })
  return connection.run(sql, ...Object.values(columns), id).changes === 1
}

/**
 * The same text as last time where the columns are the same: a workflow writes thousands of rows, and a new text for each
 * would have to be put together, and looked up character by character.
 */
function lastOrNew(
  known: Map<Table, Written>,
  table: Table,
  columns: RowValues,
  make: (names: readonly string[]) => string,
): string {
  const names = Object.keys(columns)
  const last = known.get(table)
  if (last !== undefined && areSame(names, last.names)) return last.sql
  const written = { names, sql: make(names) }
  known.set(table, written)
  return written.sql
}

function areSame(names: readonly string[], others: readonly string[]): boolean {
  if (names.length !== others.length) return false
  for (let index = 0; index < names.length; index++)
    if (names[index] !== others[index]) return false
  return true
}
