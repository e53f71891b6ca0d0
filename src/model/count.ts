import { fixedKeeping } from './fixed-keeping.ts'

/** `1,234,567`. */
export function formatCount(count: number): string {
  const digits = fixedKeeping(count, 0)
  return digits.length < 4 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `1 job`, `3 jobs`, `2 entries`. */
export const count = (number: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(number)} ${number === 1 ? noun : plural}`
