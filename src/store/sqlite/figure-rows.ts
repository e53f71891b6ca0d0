import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { TimeRange } from '../series/series.ts'

/** The rows of a statement all of whose columns are figures, or NULL for "not measured". */
export function figureRows(
  statement: StatementSync,
  values: readonly SQLInputValue[],
): Float64Array[] {
  statement.setReturnArrays(true)
  const rows = statement.all(...values) as object[] as SQLOutputValue[][]
  return rows.map((row) => Float64Array.from(row, numberOrNaN))
}

export const numberOrNaN = (value: SQLOutputValue | undefined): number =>
  typeof value === 'number' ? value : Number.NaN

/** A condition for SQL, and its values. */
export interface Condition {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
}

/** Rows that are no later and no earlier than asked for. */
export function within({ fromSeconds, toSeconds }: TimeRange): Condition {
  const limits = [
    ['elapsed_seconds >= ?', fromSeconds],
    ['elapsed_seconds <= ?', toSeconds],
  ] as const
  const given = limits.filter(([, limit]) => limit !== undefined)
  return {
    sql: given.map(([sql]) => ` AND ${sql}`).join(''),
    values: given.map(([, limit]) => limit ?? null),
  }
}
