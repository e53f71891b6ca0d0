import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { firstColumns } from '../series/first-columns.ts'
import { newestVersion } from './ledger-marks.ts'
import { migrations } from './migrations.ts'

function columnsOf(table: string): unknown[] {
  const database = new DatabaseSync(':memory:')
  for (const step of migrations) database.exec(step)
  const rows = database.prepare('SELECT name, type FROM pragma_table_info(?)').all(table)
  database.close()
  return rows.map((row) => `${String(row['name'])} ${String(row['type'])}`)
}

describe('the migrations', () => {
  it('lead to the version that is written', () => {
    expect(migrations).toHaveLength(newestVersion)
  })

  it('make the columns that samples had at first; a new one needs no step', () => {
    const wanted = firstColumns.map((name) => `${name} REAL`)
    expect(columnsOf('sample')).toEqual(['id INTEGER', 'attempt_id INTEGER', ...wanted])
  })
})
