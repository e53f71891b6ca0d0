import { formatCount, formatHours } from '../../../src/render/units/figures.ts'

/** From here on, parts of an hour are noise. */
const whole = 100

/** `0.25`, `15,724`. */
export const hoursWords = (hours: number): string =>
  hours >= whole ? formatCount(Math.round(hours)) : formatHours(hours)
