import type { SQLOutputValue } from 'node:sqlite'
import { MalformedRow } from '../errors.ts'
import { isAmount, isCount, isExitCode, isInstant, isObject, isText } from '../valid.ts'

/** A row as SQLite answers it. People may have edited the file by hand: nothing is taken on trust. */
export type Row = Readonly<Record<string, SQLOutputValue>>

export function text(row: Row, column: string): string {
  return textOrNull(row, column) ?? malformed(column)
}

export function textOrNull(row: Row, column: string): string | null {
  const value = row[column]
  return value === null || isText(value) ? value : malformed(column)
}

export function number(row: Row, column: string): number {
  return numberOrNull(row, column) ?? malformed(column)
}

export function numberOrNull(row: Row, column: string): number | null {
  const value = row[column]
  if (value === null || typeof value === 'number') return value
  return typeof value === 'bigint' ? Number(value) : malformed(column)
}

/** In another unit, such as seconds from milliseconds. */
export function scaled(row: Row, column: string, factor: number): number | null {
  const value = numberOrNull(row, column)
  return value === null ? null : value * factor
}

type Accept = (value: unknown) => value is number

const checkedOrNull =
  (accept: Accept) =>
  (row: Row, column: string): number | null => {
    const value = numberOrNull(row, column)
    return value === null || accept(value) ? value : malformed(column)
  }

const checked =
  (accept: Accept) =>
  (row: Row, column: string): number => {
    const value = numberOrNull(row, column)
    return accept(value) ? value : malformed(column)
  }

export const amountOrNull = checkedOrNull(isAmount)
export const countIn = checked(isCount)
export const exitCodeOrNull = checkedOrNull(isExitCode)
export const instant = checked(isInstant)
export const instantOrNull = checkedOrNull(isInstant)

/** A JSON list whose every entry passes. */
export function list<T>(row: Row, column: string, accept: (entry: unknown) => entry is T): T[] {
  const entries: unknown = parse(row, column)
  return Array.isArray(entries) && entries.every(accept) ? entries : malformed(column)
}

export function object(row: Row, column: string): Record<string, unknown> {
  const value: unknown = parse(row, column)
  return isObject(value) ? value : malformed(column)
}

function parse(row: Row, column: string): unknown {
  try {
    return JSON.parse(text(row, column))
  } catch {
    return malformed(column)
  }
}

function malformed(column: string): never {
  throw new MalformedRow(`column ${column} holds an invalid value`)
}
