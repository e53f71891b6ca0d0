import { formatBytes, megabyte } from '../../model/bytes.ts'
import { formatCount } from '../../model/count.ts'
import { hourSeconds, timeParts } from '../../model/time-parts.ts'
import type { Measured } from '../../model/measured.ts'
import { fixed, fixedKeeping, roundKeeping } from '../../model/fixed-keeping.ts'

/** How figures read in text and tables; on charts they are as in brief-figures.ts. */
export { fixedKeeping, formatBytes, formatCount, roundKeeping }

/** What stands where nothing was measured and there is no room for the reason. */
export const notMeasured = '–'

/** `8.00 GB`, `512.00 MB`: a size in a table of them, by which requests are judged. */
export const tableBytes = (bytes: number): string => formatBytes(bytes, 2)

/** `2048.56 MB`, as the job history writes memory; less than one as elsewhere: `512.0 KB`. */
export const historyBytes = (bytes: number): string =>
  bytes < megabyte ? formatBytes(bytes) : `${fixedKeeping(bytes / megabyte, 2)} MB`

/** `0.31 s`, `12.4 s`, `2m 3s`, `1h 2m 3s`, `3d 4h 5m`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 9.995) return `${fixedKeeping(seconds, 2)} s`
  if (seconds < 59.95) return `${fixed(seconds, 1)} s`
  const { days, hours, minutes, seconds: rest } = timeParts(seconds)
  if (days > 0) return `${days}d ${hours}h ${minutes}m`
  return hours > 0 ? `${hours}h ${minutes}m ${rest}s` : `${minutes}m ${rest}s`
}

/** `2h 45m 0s`, `7m 30s`, `45s`: a time in a table of them; fractions only of what is less than a minute. */
export function tableSeconds(seconds: number): string {
  if (seconds < 59.95) return `${fixedKeeping(seconds, 1).replace(/\.0$/, '')}s`
  const { days, hours, minutes, seconds: rest } = timeParts(seconds)
  const whole = 24 * days + hours
  return whole > 0 ? `${whole}h ${minutes}m ${rest}s` : `${minutes}m ${rest}s`
}

/** `330.12s`, as the job history writes times. */
export const historySeconds = (seconds: number): string => `${fixedKeeping(seconds, 2)}s`

/** `90s`, `3m`: a time to ask for, never less than what is given. */
export const askedSeconds = (seconds: number): string =>
  seconds < 120 ? `${Math.ceil(seconds)}s` : `${Math.ceil(seconds / 60)}m`

/** `12.30`, `0.0067`, `0`: hours of cores or of memory, with two digits that count at least. */
export function formatHours(hours: number): string {
  if (hours === 0) return '0'
  return Math.abs(hours) < 0.1 ? fixedKeeping(hours, 0) : fixed(hours, 2)
}

/** `12.30` of so many seconds of cores. */
export const coreHours = (coreSeconds: number): string => formatHours(coreSeconds / hourSeconds)

/** `0.42 J`, `1,234 J (0.34 Wh)`, `5.4 MJ (1500.0 Wh)`: what counters tell, and what bills have. */
export function formatJoules(joules: number): string {
  if (joules < 360) return `${fixedKeeping(joules, 2)} J`
  const wattHours = `${fixedKeeping(joules / hourSeconds, 1)} Wh`
  const counted =
    joules < 1e6 ? `${formatCount(Math.round(joules))} J` : `${fixed(joules / 1e6, 1)} MJ`
  return `${counted} (${wattHours})`
}

/** `398 %`, `3.2 %`. */
export function formatPercent(percent: number): string {
  return `${percent < 9.95 && percent > 0 ? fixedKeeping(percent, 1) : percent.toFixed(0)} %`
}

/** `12.3 %` of a share of 0.123. */
export const exactShare = (share: number): string => `${fixedKeeping(100 * share, 1)} %`

/** `+12.3 %`. */
export const signedPercent = (percent: number): string =>
  `${percent > 0 ? '+' : ''}${fixedKeeping(percent, 1)} %`

/** `84.1%`, in a table of them; 100 % is one core. */
export const tablePercent = (percent: number): string => `${fixedKeeping(percent, 1)}%`

/** `+31.3%`, `-47.5%`: by how much a figure in a table is over another. */
export const tableOver = (percent: number): string =>
  `${percent < 0 ? '-' : '+'}${Math.abs(percent).toFixed(1)}%`

/** `80.0%`, `66.67%`: at most two decimals and at least one, as the job statistics write rates. */
export const ratePercent = (percent: number): string =>
  `${Number.isInteger(percent) ? percent.toFixed(1) : percent}%`

/** `8 cores`, `1 core`, `0.5 cores`, in a table of them. */
export function tableCores(cores: number): string {
  const text = fixedKeeping(cores, 2).replace(/\.?0+$/, '')
  return `${text} ${text === '1' ? 'core' : 'cores'}`
}

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
