export const minuteSeconds = 60
export const hourSeconds = 60 * minuteSeconds
export const daySeconds = 24 * hourSeconds

/** A length of time in days, hours, minutes and seconds, to the nearest second. */
export function timeParts(seconds: number): {
  days: number
  hours: number
  minutes: number
  seconds: number
} {
  const whole = Math.round(seconds)
  return {
    days: Math.floor(whole / daySeconds),
    hours: Math.floor((whole % daySeconds) / hourSeconds),
    minutes: Math.floor((whole % hourSeconds) / minuteSeconds),
    seconds: whole % minuteSeconds,
  }
}
