/** Reads what a daemon answered, none of which is taken on trust: what is not of the expected kind is not there. */

export type JsonObject = Readonly<Record<string, unknown>>

export const objectIn = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** NaN for what is not a number from 0 up. */
export const countIn = (value: unknown): number =>
  typeof value === 'number' && value >= 0 && value < Infinity ? value : NaN

/** A limit of 0 or less, or one that is left out, stands for none. undefined for what cannot be one. */
export function limitIn(value: unknown, most: number): number | null | undefined {
  if (value === undefined || value === null) return null
  if (typeof value !== 'number' || Number.isNaN(value)) return undefined
  if (value <= 0) return null
  return value <= most ? value : undefined
}

/** null for what no process can end with. */
export function exitCodeIn(value: unknown): number | null {
  const code = countIn(value)
  return Number.isInteger(code) && code <= 255 ? code : null
}

/** Seconds since 1970; null for a moment that has not come, which Docker writes as the year 1. */
export function momentIn(value: unknown): number | null {
  const text = textIn(value)
  if (text === null) return null
  const seconds = Date.parse(text) / 1000
  return seconds > 0 ? seconds : null
}

const wholeId = /^[0-9a-f]{64}$/

/** Ids become parts of paths and of addresses: nothing else passes as one. */
export const idIn = (value: unknown): string | null => {
  const text = textIn(value)
  return text !== null && wholeId.test(text) ? text : null
}

/** Whether a label, `KEY=VALUE`, is among these. */
export function hasLabel(labels: JsonObject, label: string): boolean {
  const [key = '', value = ''] = label.split(/=(.*)/s)
  return Object.hasOwn(labels, key) && labels[key] === value
}
