import { fixedKeeping, roundKeeping } from './fixed-keeping.ts'

/** `1,234,567`. */
export function formatCount(amount: number): string {
  // From here on `toFixed` writes powers of ten. Below it the tables of locales, which take a while to load, are not needed.
  if (amount >= 1e21) return amount.toLocaleString('en')
  const digits = fixedKeeping(amount, 0)
  return digits.length < 4 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `1 job`, `1,200 jobs`. */
export const count = (amount: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(amount)} ${amount === 1 ? noun : plural}`

/** `1 core`, `1.5 cores`: limits of containers are often parts of a core. */
export function countCores(cores: number): string {
  const rounded = roundKeeping(cores, 2)
  return `${rounded} ${rounded === 1 ? 'core' : 'cores'}`
}
