import { daySeconds, hourSeconds, minuteSeconds } from '../../model/time-parts.ts'
import { isoMicroseconds } from './iso-time.ts'
import { offsetSeconds } from './zoned-time.ts'

const [m, h, d] = [minuteSeconds, hourSeconds, daySeconds]
const steps = [
  1,
  5,
  15,
  30,
  m,
  5 * m,
  15 * m,
  30 * m,
  h,
  2 * h,
  3 * h,
  6 * h,
  12 * h,
  d,
  2 * d,
  7 * d,
]

const local = (at: number): number => at + offsetSeconds(at, 'local')

/** Round moments of the clock between two of them, in seconds since 1970, at most about as many as are wanted. */
export function clockTicks(from: number, to: number, wanted: number): number[] {
  const least = (to - from) / Math.max(1, wanted)
  const step = steps.find((one) => one >= least) ?? Math.ceil(least / (7 * d)) * 7 * d
  const offset = offsetSeconds(from, 'local')
  const first = Math.ceil((from + offset) / step)
  const last = Math.floor((to + offset) / step)
  return Array.from(
    { length: Math.max(0, last - first + 1) },
    (_, index) => (first + index) * step - offset,
  )
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `14:30`; at midnight, or where marks are days apart, `Nov 14`. */
export function clockLabel(at: number, stepSeconds: number): string {
  const text = isoMicroseconds(local(at)) ?? ''
  const time = text.slice(11, stepSeconds < m ? 19 : 16)
  if (stepSeconds < d && !/^00:00(:00)?$/.test(time)) return time
  return `${months[Number(text.slice(5, 7)) - 1] ?? ''} ${Number(text.slice(8, 10))}`
}

/** `Nov 14, 14:30:05`. */
export const clockWords = (at: number): string =>
  `${clockLabel(at, d)}, ${(isoMicroseconds(local(at)) ?? '').slice(11, 19)}`
