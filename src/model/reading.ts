/**
 * What came of looking at something. "This machine has none", "it broke while we read it" and a
 * value are three different answers, and only the last one may become a figure.
 */
export type Reading<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'unavailable'; readonly why: string }
  | { readonly kind: 'failed'; readonly error: string }

export const ok = <T>(value: T): Reading<T> => ({ kind: 'ok', value })
export const unavailable = (why: string): Reading<never> => ({ kind: 'unavailable', why })
export const failed = (error: string): Reading<never> => ({ kind: 'failed', error })

/** What to tell of a look that failed. */
export const whyNot = (reading: Exclude<Reading<unknown>, { kind: 'ok' }>): string =>
  reading.kind === 'failed' ? reading.error : reading.why

/** Applies a parser to what was read; a parser that answers `undefined` met a format it does not know. */
export function parseReading<T, U>(
  reading: Reading<T>,
  what: string,
  parse: (value: T) => U | undefined,
): Reading<U> {
  if (reading.kind !== 'ok') return reading
  const value = parse(reading.value)
  return value === undefined ? failed(`${what}: not in a format this build knows`) : ok(value)
}
