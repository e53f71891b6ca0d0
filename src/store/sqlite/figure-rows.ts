import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { Columns } from '../../model/series.ts'
import { sampleNames } from '../../model/sample.ts'
import { columnsAmong } from '../series/columns.ts'

/** Of this build's columns all that a table has, in this build's order, then all others. */
export function figuresIn(prepare: (sql: string) => StatementSync, table: string): Columns {
  const there = new Set(columnTypes(prepare, table).keys())
  return [...new Set([...sampleNames, ...there])].filter((name) => there.has(name))
}

/** The figures of a table, and the types that it declares for them. */
export function columnTypes(
  prepare: (sql: string) => StatementSync,
  table: string,
): ReadonlyMap<string, string> {
  const info = arrays(prepare(`PRAGMA table_info(${table})`), [])
  const types = new Map(info.map(([, name, type]) => [String(name), String(type)]))
  return new Map(columnsAmong(types.keys()).map((name) => [name, types.get(name) ?? '']))
}

/** A name may be a word of SQL. */
export const quoted = (name: string): string => `"${name}"`

/** Whatever the table makes of numbers: an integer beyond 2^53 could not be read. */
export const asFigure = (name: string): string => `CAST(${quoted(name)} AS REAL)`

/** The rows of a statement all of whose columns are figures, or NULL for "not measured". */
export const figureRows = (
  statement: StatementSync,
  values: readonly SQLInputValue[],
): Float64Array[] => arrays(statement, values).map((row) => Float64Array.from(row, numberOrNaN))

/**
 * Rows as arrays, which the types of Node 24 do not tell. A statement that is kept gives arrays from then on: whoever uses
 * it again must do so in this way too.
 */
export function arrays(
  statement: StatementSync,
  values: readonly SQLInputValue[],
): SQLOutputValue[][] {
  statement.setReturnArrays(true)
  return statement.all(...values) as object[] as SQLOutputValue[][]
}

export const numberOrNaN = (value: SQLOutputValue | undefined): number =>
  typeof value === 'number' ? value : Number.NaN
