import { fixedKeeping } from './rounding.ts'

/** `1,234,567`. */
export function formatCount(amount: number): string {
  const digits = fixedKeeping(amount, 0)
  return digits.length < 4 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `1 job`, `1,200 jobs`. */
export const count = (amount: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(amount)} ${amount === 1 ? noun : plural}`
