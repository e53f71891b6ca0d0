/** Days and hours of a week as people write them. Days count from Monday, 0 to 6; hours from 0 to 23. */

export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

/** As people type them. */
export const typedWeekdays = weekdays.map((day) => day.toLowerCase())

/** `tuesday`, `tue`, `mon-thu`, `fri-mon`, `weekdays`, `weekend`. */
export function parseWeekdays(text: string): number[] | undefined {
  const word = text.trim().toLowerCase()
  if (/^(weekdays?|workdays?)$/.test(word)) return around(0, 5, 7)
  if (/^weekends?$/.test(word)) return around(5, 7, 7)
  const [first = '', last = first, more] = word.split(/\s*[-–]\s*/)
  const [from, to] = [dayAt(first), dayAt(last)]
  if (from < 0 || to < 0 || more !== undefined) return undefined
  return around(from, to + 1, 7)
}

const dayAt = (word: string): number => {
  const singular = word.replace(/(?<=day)s$/, '')
  return typedWeekdays.findIndex(
    (day) => day === singular || (word.length >= 3 && day.startsWith(singular)),
  )
}

/** `8-12`, `08:00-12:00`: from the beginning of the first to the beginning of the last; `22-6` goes past midnight; `8` is one. */
export function parseHours(text: string): number[] | undefined {
  const [, first, last] =
    /^([01]?\d|2[0-4])(?::00)?(?:\s*[-–]\s*([01]?\d|2[0-4])(?::00)?)?$/.exec(text.trim()) ?? []
  if (first === undefined) return undefined
  const from = Number(first)
  const to = last === undefined ? from + 1 : Number(last)
  if (from === 24 || from === to) return undefined
  return around(from, to, 24)
}

/** From the one to just before the other; where that comes first, round the end. */
function around(from: number, to: number, size: number): number[] {
  const length = to > from ? to - from : to - from + size
  return Array.from({ length }, (_, index) => (from + index) % size)
}
