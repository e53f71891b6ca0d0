import { failed, ok, type Reading } from './reading.ts'

/** What values of JSON are, for whoever reads what others may have written. */

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isText = (value: unknown): value is string => typeof value === 'string'

export const isTexts = (value: unknown): value is readonly string[] => isListOf(value, isText)

export const isTextOrNull = (value: unknown): value is string | null =>
  value === null || isText(value)

export const isNumber = (value: unknown): value is number => typeof value === 'number'

export const isNumberOrNull = (value: unknown): value is number | null =>
  value === null || isNumber(value)

export const isListOf = (value: unknown, isOne: (each: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isOne)

export const unknownFormat = failed('not in a format that this build knows')

/** A mapping that was written by this version or one before it; what has no version is of the first. */
export function readVersioned(
  text: string,
  newest: number,
): Reading<Readonly<Record<string, unknown>>> {
  const value = parsed(text)
  if (!isRecord(value)) return unknownFormat
  const { version = 1 } = value
  if (isNumber(version) && version <= newest) return ok(value)
  return failed(
    `written by version ${String(version)}; this build reads up to ${newest}. Use a newer jobmeter`,
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
