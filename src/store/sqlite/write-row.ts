import type { SQLInputValue } from 'node:sqlite'
import type { Connection } from './connection.ts'

export type RowValues = Readonly<Record<string, SQLInputValue>>

/** Tables are named by the program and columns by its literals: no SQL is made of data. */
type Table = 'workflow' | 'job' | 'attempt'

/** Inserts a row; answers its id. */
export function insertRow(connection: Connection, table: Table, columns: RowValues): number {
  const names = Object.keys(columns)
  const places = names.map(() => '?').join(', ')
  const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`
  return connection.run(sql, ...Object.values(columns)).lastId
}

/** Changes the row of this id; false if there is none. */
export function updateRow(
  connection: Connection,
  table: Table,
  id: number,
  columns: RowValues,
): boolean {
  const assignments = Object.keys(columns).map((name) => `${name} = ?`)
  const sql = `UPDATE ${table} SET ${assignments.join(', ')} WHERE id = ?`
  return connection.run(sql, ...Object.values(columns), id).changes === 1
}
