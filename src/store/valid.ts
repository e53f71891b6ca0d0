/**
 * What a stored value may be. The ledger's rows and the files of the spool are read with the same definitions: what one
 * of them would refuse must not get in through the other.
 */

/** The first second of the year 10000: nothing that people read can show a later one. */
const endOfTimeSeconds = 253_402_300_800

/** A quantity: of bytes, seconds, cores, percent. None of them can be negative, and infinity is no quantity. */
export const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_VALUE

/** Seconds since 1970. */
export const isInstant = (value: unknown): value is number =>
  isAmount(value) && value < endOfTimeSeconds

export const isCount = (value: unknown): value is number =>
  isAmount(value) && Number.isInteger(value)

/** As a shell reports it. */
export const isExitCode = (value: unknown): value is number => isCount(value) && value <= 255

/** A command line may be some megabytes long; nothing else that is kept comes near. */
const mostTextLength = 2 ** 24

export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= mostTextLength

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Deeper values overflow the stack of whoever writes or prints them. */
const deepest = 200

/** Named values of any kind that JSON has. */
export const isParams = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && isShallow(value, deepest)

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1))
}
