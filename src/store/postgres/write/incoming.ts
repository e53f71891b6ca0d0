import type { PoolClient } from 'pg'
import type { Statements } from '../connection.ts'
import type { Value, Values } from './batch.ts'
import { copyRows, type Shape } from './copy-rows.ts'

/** A temporary table that rows are copied into before they are merged; it is empty again after each transaction. */
export interface Incoming {
  readonly name: string
  readonly shape: Shape
  /** A table that has all of these columns, and says how they are stored. */
  readonly like?: string
}

/** Copies rows into a temporary table of this shape, which gets a column `place` that tells their order. */
export async function copyIncoming(
  client: PoolClient,
  statements: Statements,
  { name, shape, like }: Incoming,
  rows: readonly Values[],
): Promise<void> {
  const columns =
    like === undefined
      ? Object.entries(shape).map(([column, type]) => `"${column}" ${type}`)
      : [`LIKE ${like} INCLUDING STORAGE`]
  await statements.run(
    `CREATE TEMPORARY TABLE IF NOT EXISTS ${name} (place integer, ${columns.join(', ')}) ON COMMIT DELETE ROWS`,
  )
  const names = Object.keys(shape)
  await copyRows(client, `pg_temp.${name}`, { place: 'integer', ...shape }, arranged(rows, names))
}

function* arranged(rows: readonly Values[], names: readonly string[]): Iterable<readonly Value[]> {
  for (const [place, row] of rows.entries()) {
    const values: Value[] = [place]
    for (const name of names) values.push(row[name] ?? null)
    yield values
  }
}

/** `"a", "b"`, each after a prefix. */
export const listed = (shape: Shape, prefix = ''): string =>
  Object.keys(shape)
    .map((name) => `${prefix}"${name}"`)
    .join(', ')

/** `"a" = x."a", …`. */
export const assigned = (shape: Shape, from: string): string =>
  Object.keys(shape)
    .map((name) => `"${name}" = ${from}."${name}"`)
    .join(', ')

/** Values in the order of a shape, for a statement. */
export const boundBy = (shape: Shape, row: Values) =>
  Object.keys(shape).map((name) => bound(row[name] ?? null))

function bound(value: Value): string | number | bigint | boolean | Buffer | null {
  if (value instanceof Uint8Array) return Buffer.from(value)
  return value
}
