import { DatabaseError } from 'pg'

/** A record that the team ledger cannot hold. Sending it again is of no use. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** Whether the record is at fault, not the connection or the server: data that does not fit, or breaks a rule of the tables. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Refused || /^(2[23]|54)/.test(sqlStateOf(error))

/** PostgreSQL's five letters for what is wrong, such as `28P01`; empty for what it did not say. */
export const sqlStateOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** In words of people, as far as the tables tell it by the names of their rules (`steps/bounds-1.ts`). */
export function whyRefused(error: unknown): string {
  const rule = error instanceof DatabaseError ? (error.constraint ?? '') : ''
  const [, column = '', bytes] = /^(.+)_at_most_(\d+)$/.exec(rule) ?? []
  if (bytes !== undefined) return `its ${column} has more than ${bytes} bytes`
  const figure = /^(.+)_figure$/.exec(rule)?.[1]
  if (figure !== undefined) return `its ${figure} is negative, or more than anything can have`
  return error instanceof Error ? error.message : String(error)
}
