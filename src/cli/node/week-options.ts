import { parseHours, parseWeekdays } from '../../model/week-time.ts'
import { UserError } from '../../service/user-error.ts'
import type { OptionTable } from '../command/define.ts'

/** Which days and hours of a week count. */
export const weekOptions = {
  on: {
    type: 'list',
    commas: true,
    value: 'DAY',
    example: 'tuesday',
    says: 'only on these days: tuesday, mon-thu, weekdays, weekend',
  },
  between: {
    type: 'list',
    commas: true,
    value: 'HOURS',
    example: '8-12',
    says: 'only in these hours of the day: 8-12 is from 8:00 to 12:00, and 22-6 goes past midnight',
  },
} as const satisfies OptionTable

/** Undefined where nothing was asked for: all of them count. */
export const weekdaysAsked = (texts: readonly string[]): number[] | undefined =>
  allOf('on', texts, parseWeekdays, 'tuesday, mon-thu, weekdays, weekend')

export const hoursAsked = (texts: readonly string[]): number[] | undefined =>
  allOf('between', texts, parseHours, '8-12, 08:00-12:00, 22-6, 9')

function allOf(
  option: string,
  texts: readonly string[],
  parse: (text: string) => number[] | undefined,
  examples: string,
): number[] | undefined {
  if (texts.length === 0) return undefined
  const found = texts.flatMap((text) => {
    const one = parse(text)
    if (one !== undefined) return one
    throw new UserError(
      `--${option} "${text}" is not understood. These are, for instance: ${examples}`,
      'usage',
    )
  })
  return [...new Set(found)]
}
