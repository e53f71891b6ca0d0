import { quantileSorted } from 'simple-statistics'

export interface Interval {
  readonly low: number
  readonly high: number
}

const draws = 2000

/**
 * Where a figure lies in 95 of 100 cases when the values are drawn anew from themselves. The draws are
 * the same every time: the same records give the same answer on every machine.
 */
export function bootstrapInterval(
  sets: readonly (readonly number[])[],
  figure: (drawn: readonly (readonly number[])[]) => number,
): Interval | undefined {
  const random = generator(20_251_015)
  const figures: number[] = []
  for (let draw = 0; draw < draws; draw += 1) {
    const value = figure(sets.map((values) => redraw(values, random)))
    if (Number.isFinite(value)) figures.push(value)
  }
  if (figures.length < draws / 2) return undefined
  figures.sort((left, right) => left - right)
  return { low: quantileSorted(figures, 0.025), high: quantileSorted(figures, 0.975) }
}

function redraw(values: readonly number[], random: () => number): number[] {
  return values.map(() => values[Math.floor(random() * values.length)] ?? Number.NaN)
}

/** Numbers from 0 to 1 (mulberry32): small, quick and good enough to draw from a list. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
