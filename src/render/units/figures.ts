import { formatBytes } from '../../model/bytes.ts'
import { formatCount } from '../../model/count.ts'
import { fixed, fixedKeeping } from '../../model/fixed-keeping.ts'
import type { Measured } from '../../model/measured.ts'

export { fixedKeeping, formatBytes, formatCount }

/** What stands where nothing was measured and there is no room for the reason. */
export const notMeasured = '–'

/** For the decimals that figures have: a power takes longer than all else of rounding. */
const powersOfTen = [1, 10, 100, 1e3, 1e4, 1e5, 1e6]

/** Rounds, but never to 0: what was measured must not read as nothing. */
export function roundKeeping(value: number, decimals: number): number {
  // Most figures are counts, and rounding by way of text is slow: only numbers half-way
  // between two need it, where the product's own rounding could decide. -0 becomes 0.
  if (Number.isInteger(value)) return value + 0
  const scale = powersOfTen[decimals] ?? 10 ** decimals
  const scaled = Math.abs(value) * scale
  const rounded =
    scaled < 2 ** 40 && Math.abs(scaled - Math.floor(scaled) - 0.5) > 2 ** -12
      ? (Math.sign(value) * Math.round(scaled)) / scale
      : Number(value.toFixed(decimals))
  return rounded === 0 && value !== 0 ? Number(value.toPrecision(3)) : rounded
}

/** `8.00 GB`, `512.00 MB`: a size in a table of them, by which requests are judged. */
export const tableBytes = (bytes: number): string => formatBytes(bytes, 2)

/** `0.31 s`, `12.4 s`, `2m 3s`, `1h 2m 3s`, `3d 4h 5m`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 9.995) return `${fixedKeeping(seconds, 2)} s`
  if (seconds < 59.95) return `${fixed(seconds, 1)} s`
  const whole = Math.round(seconds)
  const [d, h, m, s] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3600) % 24,
    Math.floor(whole / 60) % 60,
    whole % 60,
  ]
  if (d > 0) return `${d}d ${h}h ${m}m`
  return h > 0 ? `${h}h ${m}m ${s}s` : `${m}m ${s}s`
}

/** `12.30`, `0.0067`, `0`: hours of cores or of memory, with two digits that count at least. */
export function formatHours(hours: number): string {
  if (hours === 0) return '0'
  return Math.abs(hours) < 0.1 ? fixedKeeping(hours, 0) : hours.toFixed(2)
}

/** `398 %`, `3.2 %`. */
export function formatPercent(percent: number): string {
  return `${percent < 9.95 && percent > 0 ? fixedKeeping(percent, 1) : percent.toFixed(0)} %`
}

/** `330.12s`, as the job history writes times. */
export const historySeconds = (seconds: number): string => `${fixedKeeping(seconds, 2)}s`

/** `2048.56 MB`, as the job history writes memory. */
export const historyMegabytes = (megabytes: number): string => `${fixedKeeping(megabytes, 2)} MB`

export const orDash = (value: number | null, format: (value: number) => string): string =>
  value === null ? notMeasured : format(value)

/** `value` is the figure as JSON has it; the measured one tells why there is none. */
export function orReason(
  value: number | null,
  measured: Measured,
  format: (value: number) => string,
): string {
  if (value !== null) return format(value)
  return measured.value === null ? `not measured (${measured.why})` : notMeasured
}
