import { hourSeconds } from '../../model/time-parts.ts'
import { offsetSeconds, type Zone } from './zoned-time.ts'

/** From when on (seconds since 1970) local time is so far ahead of UTC. */
interface OffsetStretch {
  readonly from: number
  readonly offsetSeconds: number
}

/** Clocks are put forward and back at full hours: each hour is asked for, and only changes are kept. */
export function offsetsBetween(from: number, to: number, zone: Zone): OffsetStretch[] {
  const stretches: OffsetStretch[] = []
  const start = Math.max(0, Math.floor(from / hourSeconds) * hourSeconds)
  for (let at = start; at < to + hourSeconds; at += hourSeconds) {
    const offset = offsetSeconds(at, zone)
    if (stretches.at(-1)?.offsetSeconds !== offset)
      stretches.push({ from: at, offsetSeconds: offset })
  }
  return stretches
}
