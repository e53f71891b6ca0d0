import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { eachRow } from './row-view.ts'

function rowsOf(statement: ReturnType<DatabaseSync['prepare']>, ...values: number[]): unknown[] {
  const rows: unknown[] = []
  // Read by name, as all readers do: a row is gone when the next one is there.
  eachRow(statement, values, ({ id, name, more }) => rows.push([id, name, more]))
  return rows
}

describe('the rows of a statement', () => {
  it('are read by the names of their columns, of which the last of a name counts', () => {
    const database = new DatabaseSync(':memory:')
    const statement = database.prepare(
      `SELECT 0 AS id, column1 AS id, column2 AS name, NULL AS more FROM (VALUES (1, 'a'), (2, 'b'))
       WHERE column1 >= ?`,
    )
    expect(rowsOf(statement, 1)).toEqual([
      [1, 'a', null],
      [2, 'b', null],
    ])
    expect(rowsOf(statement, 2)).toEqual([[2, 'b', null]])
    expect(rowsOf(statement, 3)).toEqual([])
    database.close()
  })

  it('have the columns that a table has got since the statement was made', () => {
    const database = new DatabaseSync(':memory:')
    database.exec(`
      CREATE TABLE job (id INTEGER); CREATE TABLE attempt (name TEXT);
      INSERT INTO job VALUES (1); INSERT INTO attempt VALUES ('a')`)
    const statement = database.prepare('SELECT job.*, attempt.* FROM job, attempt')
    expect(rowsOf(statement)).toEqual([[1, 'a', undefined]])
    database.exec("ALTER TABLE job ADD COLUMN more TEXT DEFAULT 'x'")
    expect(rowsOf(statement)).toEqual([[1, 'a', 'x']])
    database.close()
  })
})
