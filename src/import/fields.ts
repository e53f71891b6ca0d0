import { parseInstant } from '../model/duration.ts'
import { BadRecord, invalidField, quoted } from './bad-record.ts'

export type Fields = Readonly<Record<string, unknown>>

/** No machine has more, by far; larger numbers would not add up exactly. */
export const mostSeconds = 2 ** 40
export const mostKib = 2 ** 43
export const mostMemoryKib = 2 ** 38
const longestName = 4096

const invalid = (place: string, wanted: string, found: unknown): never => {
  const shown = typeof found === 'string' ? quoted(found) : brief(found)
  throw new BadRecord(invalidField, `${place}: expected ${wanted}, found ${shown}`)
}

const brief = (found: unknown): string => {
  if (found === null || typeof found === 'number' || typeof found === 'boolean')
    return String(found)
  if (Array.isArray(found)) return 'a list'
  return found === undefined ? 'nothing' : 'an object'
}

export function objectAt(value: unknown, place: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  return invalid(place, 'an object', value)
}

/** A list; one that is left out is empty. */
export function listIn(fields: Fields, name: string, place: string): readonly unknown[] {
  const value = fields[name] ?? []
  return Array.isArray(value) ? value : invalid(`${place}${name}`, 'a list', value)
}

/** A whole number from 0; undefined where it is left out. */
export function wholeIn(
  fields: Fields,
  name: string,
  place: string,
  most: number,
): number | undefined {
  const value = fields[name] ?? undefined
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most)
    return value
  return invalid(`${place}${name}`, 'a whole number', value)
}

/** Any number from 0; undefined where it is left out. */
export function amountIn(
  fields: Fields,
  name: string,
  place: string,
  most: number,
): number | undefined {
  const value = fields[name] ?? undefined
  if (value === undefined) return undefined
  if (typeof value === 'number' && value >= 0 && value <= most) return value
  return invalid(`${place}${name}`, 'a number from 0', value)
}

export function textIn(fields: Fields, name: string, place: string): string | undefined {
  const value = fields[name] ?? undefined
  if (value === undefined || value === '') return undefined
  if (typeof value === 'string' && value.length <= longestName) return value
  return invalid(`${place}${name}`, `a text of at most ${longestName} characters`, value)
}

export function needed<T>(value: T | undefined, place: string): T {
  return value ?? invalid(place, 'a value', undefined)
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/
const year2000 = 946_684_800

/** Seconds since 1970. A sampler whose clock was never set tells no history. */
export function timeIn(fields: Fields, name: string, place: string): number | undefined {
  const text = textIn(fields, name, place)
  if (text === undefined) return undefined
  const seconds = rfc3339.test(text) ? parseInstant(text, 0) : undefined
  if (seconds === undefined)
    return invalid(`${place}${name}`, 'a time such as 2026-03-01T12:00:00+01:00', text)
  return seconds >= year2000 ? seconds : invalid(`${place}${name}`, 'a time since 2000', text)
}
