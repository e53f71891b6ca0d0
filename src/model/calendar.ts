/** Where days begin: on the wall of whoever asks, or in Greenwich. */
export type Zone = 'local' | 'utc'

/** A day by its numbers; months count from 0, and numbers past their ends run over into the next, as in `Date`. */
export interface CalendarDay {
  readonly year: number
  readonly month: number
  readonly date: number
}

/** The day of a moment, with its weekday: 0 is Monday. */
export function dayOf(seconds: number, zone: Zone): CalendarDay & { readonly weekday: number } {
  const at = new Date(seconds * 1000)
  const fromMonday = (day: number): number => (day + 6) % 7
  return zone === 'utc'
    ? {
        year: at.getUTCFullYear(),
        month: at.getUTCMonth(),
        date: at.getUTCDate(),
        weekday: fromMonday(at.getUTCDay()),
      }
    : {
        year: at.getFullYear(),
        month: at.getMonth(),
        date: at.getDate(),
        weekday: fromMonday(at.getDay()),
      }
}

/**
 * A time on a day, in seconds since 1970. Days are counted by the calendar, so that those of 23 and 25 hours are right; a time
 * that the clock leaves out is the one that it shows instead.
 */
export function momentOf(
  { year, month, date }: CalendarDay,
  zone: Zone,
  [hours, minutes, seconds]: readonly [number, number, number] = [0, 0, 0],
): number {
  const milliseconds =
    zone === 'utc'
      ? Date.UTC(year, month, date, hours, minutes, seconds)
      : new Date(year, month, date, hours, minutes, seconds).getTime()
  return milliseconds / 1000
}
