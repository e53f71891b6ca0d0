/** What Slurm prints for something that is not known, or not yet. */
const nothing = new Set([
  '',
  'unknown',
  'none',
  'none assigned',
  'n/a',
  '(null)',
  'invalid',
  'unlimited',
  'partition_limit',
])

/** Whether Slurm says that it does not know. */
export const isNothing = (told: string | undefined): told is undefined =>
  told === undefined || nothing.has(told.trim().toLowerCase())

/** Null: Slurm says that it does not know; undefined: what it says is not a value of this kind. */
export type SlurmValue<Value> = Value | null | undefined

export const slurmText = (told: string | undefined): string | null =>
  isNothing(told) ? null : told

const clock = /^(?:(\d{1,6})-)?(?:(\d{1,6}):)?(\d{1,6}):(\d\d(?:\.\d{1,6})?)$/

/** `[D-]HH:MM:SS[.mmm]`, and `MM:SS.mmm` for what was short. */
export function slurmSeconds(told: string | undefined): SlurmValue<number> {
  if (isNothing(told)) return null
  const parts = clock.exec(told)
  if (parts === null) return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0))
  // In microseconds, where all of them are whole.
  return (Math.round(seconds * 1e6) + 6e7 * (minutes + 60 * (hours + 24 * days))) / 1e6
}

/** `4000M`, `1.5G`, `16Gn` (for each node) or `2Gc` (for each of the `cpus`), in powers of 1024. */
export function slurmBytes(
  told: string | undefined,
  /** The unit of a number without one. */
  bare: 'K' | 'M',
  cpus: number | null,
): SlurmValue<number> {
  if (isNothing(told)) return null
  const [, digits, unit, each] = /^(\d{1,15}(?:\.\d{1,6})?)([KMGTP]?)([cn]?)$/.exec(told) ?? []
  if (digits === undefined) return undefined
  const bytes = Math.round(Number(digits) * 1024 ** ('KMGTP'.indexOf(unit || bare) + 1))
  if (each === 'c' && cpus === null) return null
  const all = each === 'c' ? bytes * (cpus ?? 1) : bytes
  return Number.isSafeInteger(all) ? all : undefined
}

/** Slurm counts in 32 bits. */
export function slurmCount(told: string | undefined): SlurmValue<number> {
  if (isNothing(told)) return null
  return /^\d{1,10}$/.test(told) ? Number(told) : undefined
}
