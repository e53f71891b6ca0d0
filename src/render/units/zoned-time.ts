import type { Zone } from '../../model/calendar.ts'
import { notMeasured } from './figures.ts'
import { isoMicroseconds } from './iso-time.ts'

export type { Zone } from '../../model/calendar.ts'

/** How far local time is ahead of UTC at that moment; it changes where clocks are put forward and back. */
export function offsetSeconds(secondsSince1970: number, zone: Zone): number {
  if (zone === 'utc') return 0
  const behindMinutes = new Date(secondsSince1970 * 1000).getTimezoneOffset()
  // Before zones had whole minutes the offset has seconds, which no notation has.
  return Number.isNaN(behindMinutes) ? 0 : -Math.round(behindMinutes) * 60 + 0
}

/** `+05:30`. */
export function offsetText(seconds: number): string {
  const minutes = Math.abs(seconds) / 60
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/**
 * `2025-10-15T16:00:00.000000+05:30`, as the job history writes times. Each has its offset: an hour that the clock
 * shows twice could not be told from the other.
 */
export function isoTime(secondsSince1970: number, zone: Zone): string {
  const offset = offsetSeconds(secondsSince1970, zone)
  const text = isoMicroseconds(secondsSince1970 + offset)
  return text === null ? notMeasured : text + (zone === 'utc' ? 'Z' : offsetText(offset))
}

/** `2025-10-15 16:00:00 +05:30`, `2025-10-15 10:30:00 UTC`. */
export function shortTime(secondsSince1970: number, zone: Zone): string {
  const text = isoTime(secondsSince1970, zone)
  if (text === notMeasured) return text
  const suffix = zone === 'utc' ? 'UTC' : text.slice(-6)
  return `${text.slice(0, 19).replace('T', ' ')} ${suffix}`
}
