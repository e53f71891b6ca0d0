import type { Zone } from '../../model/calendar.ts'
import { momentExamples, parseMoment } from '../../model/moment.ts'
import { UserError } from '../../service/user-error.ts'

interface MomentOption {
  /** Without its dashes. */
  readonly name: string
  readonly edge: 'from' | 'to'
  readonly zone: Zone
}

/** The moment that an option names; undefined where it was not given. */
export function namedMoment(
  { name, edge, zone }: MomentOption,
  text: string | undefined,
  nowSeconds: number,
): number | undefined {
  if (text === undefined) return undefined
  const moment = parseMoment(text, nowSeconds, edge, zone)
  if (moment !== undefined) return moment
  throw new UserError(
    `--${name} "${text}" is not a time. These are, for instance: ${momentExamples}`,
    'usage',
  )
}
