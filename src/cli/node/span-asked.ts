import { daySeconds } from '../../model/time-parts.ts'
import { UserError } from '../../service/user-error.ts'
import { zoneAsked } from '../terminal/zone-asked.ts'
import { momentAsked } from './node-options.ts'

/** In seconds since 1970. */
export interface Span {
  readonly from: number
  readonly to: number
}

interface SpanOptions {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly utc: boolean
}

/** Between when, as `--from` and `--to` say; without them, the last days up to now. Infinitely many days are all time. */
export function spanAsked(options: SpanOptions, nowSeconds: number, usualDays: number): Span {
  const zone = zoneAsked(options)
  const to = momentAsked('to', options.to, nowSeconds, zone) ?? nowSeconds
  const from =
    momentAsked('from', options.from, nowSeconds, zone) ??
    Math.max(0, Math.min(to, nowSeconds) - usualDays * daySeconds)
  if (to <= from) throw new UserError('--to must be after --from', 'usage')
  return { from, to }
}
