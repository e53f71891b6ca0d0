/** In which steps a scale is round: those of bytes and of time in their own units. */
export type TickBase = 10 | 60 | 1024

const factorsOf: Readonly<Record<TickBase, readonly [number, ...number[]]>> = {
  10: [1, 2, 5, 10],
  60: [1, 2, 5, 10, 15, 30, 60, 120, 300, 720, 1440],
  1024: [1, 2, 5, 10, 20, 50, 100, 200, 256, 512, 1024],
}

/** Round steps from 0 up to a value, about as many as are wanted. Less than a second is in tenths. */
export function ticks(most: number, wanted: number, base: TickBase): number[] {
  if (!(most > 0)) return [0]
  if (base === 60 && most < wanted) return ticks(most, wanted, 10)
  const steps = most / wanted
  const power =
    base === 10
      ? 10 ** Math.floor(Math.log10(steps))
      : base ** Math.floor(Math.log(Math.max(1, steps)) / Math.log(base))
  const step = power * factorFor(factorsOf[base], most / power, wanted)
  return Array.from({ length: Math.floor((most * 1.0001) / step) + 1 }, (_, at) => at * step)
}

function factorFor(factors: readonly [number, ...number[]], most: number, wanted: number): number {
  const enough = factors.findIndex((factor) => most / factor <= wanted)
  if (enough < 0) return factors.at(-1) ?? factors[0]
  const factor = factors[enough] ?? factors[0]
  // One mark beside 0 is no scale: rather a few more than were wanted.
  return most < 2 * factor ? (factors[enough - 1] ?? factor) : factor
}
