import { timeParts } from '../../model/time-parts.ts'
import { inTimeUnits } from './brief-figures.ts'
import { ticks } from './ticks.ts'

/** A time beside an axis whose marks are so many seconds apart: as exact as they are, `1h 5m 20s`, `2m 3.3s`. */
export function timeLabel(seconds: number, stepSeconds: number): string {
  const decimals = stepSeconds >= 1 ? 0 : Math.min(3, Math.ceil(-Math.log10(stepSeconds) - 1e-9))
  // Rounded first: 59.97 is a minute, not 60 seconds.
  const at = Number(seconds.toFixed(decimals))
  const { days, hours, minutes } = timeParts(Math.floor(at))
  const rest = Number((at % 60).toFixed(decimals))
  return inTimeUnits(days, hours, minutes, rest).join(' ') || '0s'
}

/** Round times within a range, about as many as are wanted. */
export function timeTicks(fromSeconds: number, toSeconds: number, wanted: number): number[] {
  const [, step = 0] = ticks(toSeconds - fromSeconds, wanted, 60)
  if (!(step > 0)) return [fromSeconds]
  const first = Math.ceil(fromSeconds / step - 1e-9)
  const last = Math.floor(toSeconds / step + 1e-9)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step)
}
