import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { numberOrNaN } from './figure-rows.ts'

const firstRows = 1024

/**
 * The rows of a statement column by column. Rows are taken one at a time: all at once, a million of them would be some
 * gigabyte of arrays.
 */
export function figureColumns(
  statement: StatementSync,
  values: readonly SQLInputValue[],
  width: number,
): Float64Array[] {
  let columns = Array.from({ length: width }, () => new Float64Array(firstRows))
  let count = 0
  let room = firstRows
  statement.setReturnArrays(true)
  for (const row of statement.iterate(...values) as Iterable<object> as Iterable<
    SQLOutputValue[]
  >) {
    if (count === room) {
      room *= 2
      columns = columns.map((column) => larger(column, room))
    }
    for (let place = 0; place < width; place += 1) {
      const column = columns[place]
      if (column !== undefined) column[count] = numberOrNaN(row[place])
    }
    count += 1
  }
  return columns.map((column) => column.slice(0, count))
}

function larger(column: Float64Array, room: number): Float64Array<ArrayBuffer> {
  const made = new Float64Array(room)
  made.set(column)
  return made
}
