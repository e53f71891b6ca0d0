/**
 * A value with U+FFFD for every half of a character that stands alone. No file, database or terminal can hold such a half,
 * and each would put something else in its place: a record would differ from what is kept of it.
 */
export function wellFormed<T>(value: T): T {
  return formed(value) as T
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function formed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(formed)
  // What is more than a mapping, such as a date, knows itself how it is written.
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inside]) => [key.toWellFormed(), formed(inside)]),
  )
}
