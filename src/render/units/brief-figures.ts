import { byteUnitOf } from '../../model/bytes.ts'
import { daySeconds, timeParts } from '../../model/time-parts.ts'

/**
 * Figures as charts show them: beside an axis there is room for some nine characters, whatever was measured. Round values are
 * as short as they can be: `1 GB`, `30s`, `1h`.
 */

/** `1,234.5`, `12.3M`, `1.23E15`. */
export function briefNumber(value: number): string {
  if (value < 1e7) return value.toLocaleString('en-US')
  const notation = value < 1e15 ? 'compact' : 'scientific'
  return value.toLocaleString('en-US', { notation, maximumSignificantDigits: 3 })
}

/** `512 MB`, `1.5 GB`. */
export function briefBytes(bytes: number): string {
  const { amount, unit } = byteUnitOf(bytes, 0.5)
  // To three digits, and what has four in front of the point as it is: `1023 MB`.
  const digits = amount < 1000 ? Number(amount.toPrecision(3)) : Math.round(amount)
  return `${digits} ${unit}`
}

/** `80 MB/s`. */
export const briefRate = (bytesPerSecond: number): string => `${briefBytes(bytesPerSecond)}/s`

/** `84%`, `84.1%`; 100 % is one core. */
export function briefPercent(percent: number, decimals: 0 | 1 = 0): string {
  const scale = 10 ** decimals
  return `${briefNumber(Math.round(percent * scale) / scale)}%`
}

/** `0.25s`, `2.5s`, `45s`, `2m 3s`, `1h`, `3d 4h`: the two largest units that say something. */
export function briefSeconds(seconds: number): string {
  const { days, hours, minutes, seconds: rest } = timeParts(seconds)
  if (seconds >= 1e9) return `${briefNumber(seconds / daySeconds)}d`
  if (seconds < 1) return `${Number(seconds.toPrecision(2))}s`
  if (seconds < 10 && seconds % 1 !== 0) return `${seconds.toFixed(1)}s`
  return inTimeUnits(days, hours, minutes, rest).slice(0, 2).join(' ')
}

/** `['1h', '5m']`: days, hours, minutes and seconds, without those that there are none of. */
export const inTimeUnits = (...amounts: readonly [number, number, number, number]): string[] =>
  amounts.flatMap((amount, unit) => (amount > 0 ? [`${amount}${'dhms'[unit]}`] : []))
