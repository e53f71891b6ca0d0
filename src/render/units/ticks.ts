import { daySeconds } from '../../model/time-parts.ts'

/** In which steps a scale is round: those of bytes and of time in their own units. */
export type TickBase = 10 | 60 | 1024

const factorsOf: Readonly<Record<TickBase, readonly [number, ...number[]]>> = {
  10: [1, 2, 5, 10],
  60: [1, 2, 5, 10, 15, 30, 60, 120, 300, 720, 1440],
  1024: [1, 2, 5, 10, 20, 50, 100, 200, 256, 512, 1024],
}

/** Round steps from 0 up to a value, about as many as are wanted. Less than a second is in tenths, more than a day in days. */
export function ticks(most: number, wanted: number, base: TickBase): number[] {
  if (!(most > 0)) return [0]
  const least = most / wanted
  if (base === 60 && least < 1) return ticks(most, wanted, 10)
  if (base === 60 && least > daySeconds)
    return ticks(most / daySeconds, wanted, 10).map((days) => days * daySeconds)
  const power = powerFor(base, least)
  const step = power * factorFor(factorsOf[base], most / power, wanted)
  return Array.from({ length: Math.floor((most * 1.0001) / step) + 1 }, (_, at) => at * step)
}

/** The unit of which steps are multiples: a power of ten, a second or a minute, a byte or a power of 1024. */
function powerFor(base: TickBase, least: number): number {
  const power = Math.floor(Math.log10(least) / Math.log10(base))
  if (base === 10) return 10 ** power
  return base ** Math.max(0, base === 60 ? Math.min(1, power) : power)
}

function factorFor(factors: readonly [number, ...number[]], most: number, wanted: number): number {
  const enough = factors.findIndex((factor) => most / factor <= wanted)
  if (enough < 0) return factors.at(-1) ?? factors[0]
  const factor = factors[enough] ?? factors[0]
  // One mark beside 0 is no scale: rather a few more than were wanted.
  return most < 2 * factor ? (factors[enough - 1] ?? factor) : factor
}
