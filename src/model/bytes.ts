import { fixed, fixedKeeping } from './fixed-keeping.ts'

export const kilobyte = 1024
export const megabyte = 1024 ** 2
export const gigabyte = 1024 ** 3

const factors: Readonly<Record<string, number>> = {
  '': 1,
  k: kilobyte,
  m: megabyte,
  g: gigabyte,
  t: 1024 ** 4,
  p: 1024 ** 5,
}

const pattern = (): RegExp => /^(\d+(?:\.\d+)?|\.\d+) ?(?:([kmgtp])i?)?b?$/i

/**
 * Parses a size as people write it: `1024`, `512m`, `8G`, `8GB`, `8 GiB`, `8Gi`, `1.5g`. All prefixes
 * are powers of 1024, as in Slurm, Docker and the JVM: a job that asks for `8GB` there gets 8 × 1024³
 * bytes. Returns a whole number of bytes, or `undefined` for anything else.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { parseBytes } from 'jobmeter'
 *
 * assert.equal(parseBytes('512m'), 512 * 1024 ** 2)
 * assert.equal(parseBytes('1.5 GiB'), 1_610_612_736)
 * assert.equal(parseBytes('much'), undefined)
 * ```
 */
export function parseBytes(text: string): number | undefined {
  const match = pattern().exec(text.trim())
  if (match === null) return undefined
  const [, amount = '', prefix = ''] = match
  const bytes = Math.round(Number(amount) * (factors[prefix.toLowerCase()] ?? Number.NaN))
  return Number.isSafeInteger(bytes) ? bytes : undefined
}

/** A size to ask for, as it stands in a sentence, such as `81 MB` or `12 GB`: a whole number, never less than what is given. */
export function askedSize(bytes: number): string {
  const isWholeGigabytes = bytes > 0 && bytes % gigabyte === 0
  return isWholeGigabytes ? `${bytes / gigabyte} GB` : wholeMegabytes(bytes)
}

/** `81 MB`, never less than what is given. */
export const wholeMegabytes = (bytes: number): string => `${Math.ceil(bytes / megabyte)} MB`

/** `512.0 MB`, of however many bytes, as reasons and bases in the ledger have it: what reads them counts on the unit. */
export const inMegabytes = (bytes: number): string => `${(bytes / megabyte).toFixed(1)} MB`

const byteUnits = ['KB', 'MB', 'GB', 'TB', 'PB'] as const

/**
 * A size in the largest unit of which it is one or more; what would be rounded up to 1024 of a unit, by at most `rounding`,
 * is one of the next. A KB is 1024 bytes, as in what `parseBytes` reads.
 */
export function byteUnitOf(
  bytes: number,
  rounding: number,
): { amount: number; unit: 'B' | (typeof byteUnits)[number] } {
  if (bytes < 1023.5) return { amount: bytes, unit: 'B' }
  let amount = bytes / 1024
  let unit = 0
  while (amount >= 1024 - rounding && unit < byteUnits.length - 1) {
    amount /= 1024
    unit += 1
  }
  return { amount, unit: byteUnits[unit] ?? 'PB' }
}

/** `512.0 MB`: in the unit that suits it, so that nothing reads as `0.00 GB`. */
export function formatBytes(bytes: number, decimals = 1): string {
  if (bytes < 0) return `-${formatBytes(-bytes, decimals)}`
  // 1023.97 KB would be printed as 1024.0 KB.
  const { amount, unit } = byteUnitOf(bytes, 0.5 / 10 ** decimals)
  return `${unit === 'B' ? fixedKeeping(amount, 0) : fixed(amount, decimals)} ${unit}`
}
