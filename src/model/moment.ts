import { dayOf, momentOf, type CalendarDay, type Zone } from './calendar.ts'
import { parseInstant } from './duration.ts'
import { typedWeekdays } from './week-time.ts'

const months =
  'january february march april may june july august september october november december'.split(' ')

/** What is taken for a moment, for whoever wrote something else. */
export const momentExamples =
  '2026-03-01, "2026-03-01 14:30", today, yesterday, "yesterday 14:30", monday, "last monday", "last week", "this month", 2026-03, 7d, "2 hours ago", now'

/** A stretch of time that people name, such as a day; it ends where the day after `last` begins. */
interface Named {
  readonly first: CalendarDay
  readonly last: CalendarDay
}

interface Today extends CalendarDay {
  readonly weekday: number
}

/**
 * A moment as people write it, in seconds since 1970. Of what names a day, a week, a month or a year, `from` is its beginning
 * and `to` its end: `--from monday --to monday` is all of Monday.
 */
export function parseMoment(
  text: string,
  nowSeconds: number,
  edge: 'from' | 'to',
  zone: Zone = 'local',
): number | undefined {
  const words = text.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  if (words === 'now') return nowSeconds
  const today = dayOf(nowSeconds, zone)
  const [, before = words, hours, minutes, seconds] = clockAfter.exec(words) ?? []
  const found = named(before, today)
  if (found !== undefined && hours !== undefined)
    return isOneDay(found)
      ? Math.max(0, momentOf(found.first, zone, [+hours, +(minutes ?? 0), +(seconds ?? 0)]))
      : undefined
  if (found !== undefined) {
    const { first, last } = found
    return Math.max(0, momentOf(edge === 'from' ? first : { ...last, date: last.date + 1 }, zone))
  }
  return monthsAgo(words, nowSeconds, zone) ?? instant(text.trim(), words, nowSeconds, zone)
}

/** `yesterday 14:30`, `last monday at 8:00`. Dates with a time are read elsewhere. */
const clockAfter = /^([a-z][a-z ]*?),? (?:at )?([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/

const isOneDay = ({ first, last }: Named): boolean =>
  first.date === last.date && first.month === last.month && first.year === last.year

const back = (day: CalendarDay, days: number): CalendarDay => ({ ...day, date: day.date - days })
const oneDay = (day: CalendarDay): Named => ({ first: day, last: day })

/** The day before the first of the next month is its last. */
const wholeMonths = (year: number, month: number, count = 1): Named => ({
  first: { year, month, date: 1 },
  last: { year, month: month + count, date: 0 },
})

function named(words: string, today: Today): Named | undefined {
  if (words === 'today') return oneDay(today)
  if (words === 'yesterday') return oneDay(back(today, 1))
  const [, which, word = ''] = /^(last |this )?([a-z]+)$/.exec(words) ?? []
  return word === '' ? inDigits(words) : inWords(which?.trim(), word, today)
}

/** `monday`, `last monday`, `this week`, `last month`, `march`. */
function inWords(which: string | undefined, word: string, today: Today): Named | undefined {
  const isLast = which === 'last'
  const day = placeOf(word, typedWeekdays)
  if (day >= 0 && which !== 'this') {
    // Of "last monday" nobody thinks that it is today.
    const ago = (today.weekday - day + 7) % 7 || (isLast ? 7 : 0)
    return oneDay(back(today, ago))
  }
  const month = placeOf(word, months)
  if (month >= 0 && which !== 'this') {
    const isPast = isLast ? month < today.month : month <= today.month
    return wholeMonths(today.year - (isPast ? 0 : 1), month)
  }
  return which === undefined ? undefined : period(word, isLast ? -1 : 0, today)
}

const placeOf = (word: string, names: readonly string[]): number =>
  names.findIndex((name) => name === word || name.slice(0, 3) === word)

/** Weeks begin with Monday. */
function period(word: string, step: number, today: Today): Named | undefined {
  if (word === 'week') {
    const monday = back(today, today.weekday - 7 * step)
    return { first: monday, last: back(monday, -6) }
  }
  if (word === 'month') return wholeMonths(today.year, today.month + step)
  return word === 'year' ? wholeMonths(today.year + step, 0, 12) : undefined
}

/** `2026-03-01`, `2026-03`, `2026`. */
function inDigits(words: string): Named | undefined {
  const [, year, month, date] =
    /^((?:19[7-9]|2\d\d)\d)(?:-(0[1-9]|1[0-2])(?:-(\d\d))?)?$/.exec(words) ?? []
  if (year === undefined) return undefined
  if (month === undefined) return wholeMonths(Number(year), 0, 12)
  if (date === undefined) return wholeMonths(Number(year), Number(month) - 1)
  const day = { year: Number(year), month: Number(month) - 1, date: Number(date) }
  // The calendar would turn 30 February into 2 March without a word.
  const isReal = dayOf(momentOf(day, 'utc'), 'utc').date === day.date
  return isReal ? oneDay(day) : undefined
}

/** `3 months ago`, `a year ago`: at the same time of the day, by the calendar. */
function monthsAgo(words: string, nowSeconds: number, zone: Zone): number | undefined {
  const [, amount = '', unit] = /^(\d{1,4}|an?) (month|year)s?(?: ago)?$/.exec(words) ?? []
  if (unit === undefined) return undefined
  const count = (amount.startsWith('a') ? 1 : Number(amount)) * (unit === 'year' ? 12 : 1)
  const today = dayOf(nowSeconds, zone)
  // A month ago from the 31st is the last day of a month that has fewer.
  const shortest = dayOf(momentOf(wholeMonths(today.year, today.month - count).last, 'utc'), 'utc')
  const day = { ...today, month: today.month - count, date: Math.min(today.date, shortest.date) }
  const intoDay = nowSeconds - momentOf(today, zone)
  return Math.max(0, momentOf(day, zone) + intoDay)
}

/** A date with a time, or an age. */
function instant(text: string, words: string, nowSeconds: number, zone: Zone): number | undefined {
  const age = words
    .replace(/ ago$/, '')
    .replace(/^(?:the )?(?:last|past) (?=\d)/, '')
    .replace(/^an? (?=[a-z])/, '1 ')
  const isAge = !/^\d{4}-/.test(words)
  const clock = /[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/i.test(text) && zone === 'utc' ? 'Z' : ''
  // ISO's P1D has letters that count only where they are large.
  return (
    parseInstant(`${text}${clock}`, nowSeconds) ??
    (isAge ? parseInstant(age, nowSeconds) : undefined)
  )
}
