import type { StatementSync } from 'node:sqlite'
import { sampleColumns, sampleWidth, type SampleRow } from '../../model/sample.ts'
import type { Connection } from '../sqlite/connection.ts'

const names = sampleColumns.map((column) => column.name).join(', ')
const places = sampleColumns.map(() => '?').join(', ')
const insert = `INSERT INTO sample (attempt_id, ${names}) VALUES (?, ${places})`
const ofTask = `
  SELECT ${names} FROM sample
  WHERE attempt_id = (SELECT id FROM attempt WHERE task_id = ?)
  ORDER BY elapsed_seconds, id`
const lastOfAttempt = `
  SELECT ${names} FROM sample WHERE attempt_id = ? ORDER BY elapsed_seconds DESC, id DESC LIMIT 1`

/** Inserts rows; belongs inside a transaction. SQLite stores NaN as NULL, which is what we want. */
export function insertSamples(
  connection: Connection,
  attemptId: number,
  rows: Float64Array,
  count: number,
): void {
  const statement = connection.prepare(insert)
  for (let row = 0; row < count; row++) {
    const start = row * sampleWidth
    statement.run(attemptId, ...rows.subarray(start, start + sampleWidth))
  }
}

export function samplesOf(connection: Connection, taskId: string): SampleRow[] {
  return read(connection.prepare(ofTask), taskId)
}

export function lastSampleOf(connection: Connection, attemptId: number): SampleRow | null {
  return read(connection.prepare(lastOfAttempt), attemptId)[0] ?? null
}

function read(statement: StatementSync, of: string | number): SampleRow[] {
  return statement.all(of).map((row) => {
    const sample = new Float64Array(sampleWidth)
    sampleColumns.forEach(({ name }, index) => {
      const value = row[name]
      sample[index] = typeof value === 'number' ? value : Number.NaN
    })
    return sample
  })
}
