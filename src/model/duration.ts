import {
  daySeconds as day,
  hourSeconds as hour,
  minuteSeconds as minute,
  timeParts,
} from './time-parts.ts'

const week = 7 * day

const amount = String.raw`(\d+(?:\.\d+)?|\.\d+)`
const part = (unit: string): string => `(?:${amount}${unit})?`

/** `5min` and `2 hours` are what people type too. */
const words = [
  ' ?w(?:eeks?)?',
  ' ?d(?:ays?)?',
  ' ?h(?:rs?|ours?)?',
  ' ?m(?:in(?:s|utes?)?)?',
  ' ?s(?:ec(?:s|onds?)?)?',
  ' ?ms',
]

interface Form {
  readonly pattern: RegExp
  /** The seconds that its groups count, in order. */
  readonly factors: readonly number[]
}

let forms: readonly Form[] | undefined

/** Made for the first duration that is read: they take 0.05 ms, and few commands are given one. */
const makeForms = (): readonly Form[] => [
  { pattern: new RegExp(`^${amount}$`), factors: [1] },
  {
    pattern: new RegExp(`^${words.map(part).join(' ?')}$`),
    factors: [week, day, hour, minute, 1, 0.001],
  },
  {
    pattern: new RegExp(
      `^P(?!$)${part('W')}${part('D')}(?:T(?!$)${part('H')}${part('M')}${part('S')})?$`,
    ),
    factors: [week, day, hour, minute, 1],
  },
  // As Slurm writes them: 90:00, 36:00:00, 1-12:00:00. Only the leading field may pass its bound.
  { pattern: /^(\d+):([0-5]\d)$/, factors: [minute, 1] },
  { pattern: /^(\d+):([0-5]\d):([0-5]\d)$/, factors: [hour, minute, 1] },
  {
    pattern: /^(\d+)-([01]?\d|2[0-3]):([0-5]\d):([0-5]\d)$/,
    factors: [day, hour, minute, 1],
  },
]

/**
 * Parses a duration into seconds: `90`, `90s`, `1h30m`, `1.5h`, `250ms`, `90d`, `2w`, ISO 8601
 * (`PT2H30M`, `P1DT2H`) or a clock (`MM:SS`, `HH:MM:SS`, `D-HH:MM:SS`).
 * Years and months are refused: they have no fixed length, and a limit that depends on the
 * calendar is a surprise. `m` is always minutes and `M` counts only after ISO's `T`.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { parseDuration } from 'jobmeter'
 *
 * assert.equal(parseDuration('1h30m'), 5400)
 * assert.equal(parseDuration('PT2H30M'), 9000)
 * assert.equal(parseDuration('one month'), undefined)
 * ```
 */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  for (const { pattern, factors } of (forms ??= makeForms())) {
    const match = pattern.exec(trimmed)
    if (match === null) continue
    // Summed in milliseconds, where nearly all amounts are whole: 0.1 + 0.2 must be 0.3.
    const milliseconds = factors.reduce(
      (sum, factor, index) => sum + Number(match[index + 1] ?? 0) * (factor * 1000),
      0,
    )
    return milliseconds <= Number.MAX_SAFE_INTEGER ? milliseconds / 1000 : undefined
  }
  return undefined
}

/** ISO 8601, to the millisecond: `PT2H30M`, `P1DT0.5S`, `PT0S`. */
export function formatIsoDuration(seconds: number): string {
  if (!(seconds >= 0 && seconds < Infinity)) throw new RangeError(`not a duration: ${seconds}`)
  const milliseconds = Math.round(seconds * 1000)
  const { days, hours, minutes } = timeParts(Math.floor(milliseconds / 1000))
  const rest = ((milliseconds / 1000) % minute).toFixed(3).replace(/\.?0+$/, '')
  const secondsText = milliseconds % 60_000 === 0 ? '' : `${rest}S`
  const time = `${hours > 0 ? `${hours}H` : ''}${minutes > 0 ? `${minutes}M` : ''}${secondsText}`
  if (days === 0) return `PT${time === '' ? '0S' : time}`
  return `P${days}D${time === '' ? '' : `T${time}`}`
}

const dateTime = (): RegExp =>
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d(?:\.\d+)?))?(Z|[+-]\d\d:?\d\d)?)?$/

/**
 * A moment in the past, in seconds since 1970: a date (its local midnight), a date with a time (local
 * unless it names its offset), or how long ago: `2h`, `7d`, `PT30M`. A bare number or `10:30` is
 * refused here: as an age it would hardly be meant. `parseMoment` reads what is told in words.
 */
export function parseInstant(text: string, nowSeconds: number): number | undefined {
  const trimmed = text.trim()
  const match = dateTime().exec(trimmed)
  if (match !== null) return parseDateTime(match)
  const age = /[a-zA-Z]/.test(trimmed) ? parseDuration(trimmed) : undefined
  return age === undefined ? undefined : Math.max(0, nowSeconds - age)
}

function parseDateTime(match: RegExpExecArray): number | undefined {
  const [year = 0, month = 0, date = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1, 7)
    .map((digits: string | undefined) => Number(digits ?? 0))
  // `Date` would turn 30 February into 2 March without a word, and year 50 into 1950.
  const utc = new Date(Date.UTC(year, month - 1, date))
  if (utc.getUTCFullYear() !== year || utc.getUTCMonth() !== month - 1) return undefined
  if (utc.getUTCDate() !== date) return undefined
  const milliseconds = Math.round(seconds * 1000)
  const zone = match[7]
  if (zone === undefined) {
    return sinceEpoch(new Date(year, month - 1, date, hours, minutes, 0, milliseconds))
  }
  const atUtc = Date.UTC(year, month - 1, date, hours, minutes, 0, milliseconds)
  return sinceEpoch(new Date(atUtc - offsetMinutes(zone) * 60_000))
}

function offsetMinutes(zone: string): number {
  if (zone === 'Z') return 0
  const size = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return zone.startsWith('-') ? -size : size
}

// Nothing was recorded before 1970, so an earlier moment means "from the beginning".
const sinceEpoch = (date: Date): number => Math.max(0, date.getTime() / 1000)
