import { fixed, fixedKeeping } from './fixed-keeping.ts'

const factors: Readonly<Record<string, number>> = {
  '': 1,
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
  t: 1024 ** 4,
  p: 1024 ** 5,
}

const pattern = /^(\d+(?:\.\d+)?|\.\d+) ?(?:([kmgtp])i?)?b?$/i

/**
 * A size as people write it: `1024`, `512m`, `8G`, `8GB`, `8 GiB`, `8Gi`, `1.5g`. All prefixes count by
 * 1024, as Slurm, Docker and the JVM do: a job that asks for `8GB` there gets 8 × 1024³ bytes.
 * Answers a whole number of bytes, or `undefined` for anything else.
 */
export function parseBytes(text: string): number | undefined {
  const match = pattern.exec(text.trim())
  if (match === null) return undefined
  const [, amount = '', prefix = ''] = match
  const bytes = Math.round(Number(amount) * (factors[prefix.toLowerCase()] ?? Number.NaN))
  return Number.isSafeInteger(bytes) ? bytes : undefined
}

/** A size to ask for, as it stands in a sentence, such as `81 MB` or `12 GB`: a whole number, never less than what is given. */
export function askedSize(bytes: number): string {
  const isWholeGigabytes = bytes > 0 && bytes % 1024 ** 3 === 0
  return isWholeGigabytes ? `${bytes / 1024 ** 3} GB` : `${Math.ceil(bytes / 1024 ** 2)} MB`
}

const byteUnits = ['KB', 'MB', 'GB', 'TB', 'PB'] as const

/**
 * `512.0 MB`: in the largest unit of which it is one or more, so that nothing reads as `0.00 GB`. A KB is 1024 bytes, as in
 * what `parseBytes` reads.
 */
export function formatBytes(bytes: number, decimals = 1): string {
  if (bytes < 1023.5) return `${fixedKeeping(bytes, 0)} B`
  let scaled = bytes / 1024
  let unit = 0
  // 1023.97 KB would be printed as 1024.0 KB.
  while (scaled >= 1024 - 0.5 / 10 ** decimals && unit < byteUnits.length - 1) {
    scaled /= 1024
    unit += 1
  }
  return `${fixed(scaled, decimals)} ${byteUnits[unit]}`
}
