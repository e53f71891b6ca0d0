import { median } from '../statistics/median.ts'

/**
 * How far a mean of these values strays by chance, as the standard deviation of one value of an
 * independent series that strays as far. Jumps and trends do not count as noise: it goes by
 * the differences between neighbours, and large ones are cut. Values that hang together (a busy second follows
 * a busy one) make their means stray further, by (1 + φ)/(1 − φ) for the correlation φ.
 */
export function noiseOf(values: Float64Array): number {
  const held = usualRun(values)
  if (held === 1) return noiseOfSteps(values)
  const apart = values.filter((_, index) => index % held === Math.floor(held / 2))
  // The mean of so many repeats strays no less than one of them.
  return noiseOfSteps(apart) * Math.sqrt(held)
}

/** So few values in a row are levels that the job held, and tell nothing of how often it was looked at. */
const fewestRuns = 6

/**
 * How many steps a value is repeated for on the whole: a figure that is looked at rarely stays as it was. One that stays
 * at 0 does so however often it is looked at.
 */
function usualRun(values: Float64Array): number {
  const least = 1e-9 * Math.max(...values.map(Math.abs))
  let runs = 0
  let steps = 0
  values.forEach((value, index) => {
    if (Math.abs(value) <= least) return
    steps += 1
    if (Math.abs(value - (values[index - 1] ?? 0)) > least) runs += 1
  })
  return runs < fewestRuns ? 1 : Math.max(1, Math.round(steps / runs))
}

function noiseOfSteps(values: Float64Array): number {
  const count = values.length - 1
  if (count < 2) return 0
  const steps = Float64Array.from(
    { length: count },
    (_, index) =>
      // `values` has one more than `steps`, so both are there.
      (values[index + 1] ?? 0) - (values[index] ?? 0),
  )
  const middle = median(steps)
  const spread = 1.4826 * median(steps.map((step) => Math.abs(step - middle)))
  const cut = steps.map((step) => Math.min(3 * spread, Math.max(-3 * spread, step - middle)))
  let squares = 0
  let products = 0
  let before = 0
  for (const step of cut) {
    squares += step * step
    products += step * before
    before = step
  }
  if (squares === 0) return 0
  // The differences of a series with correlation φ have −(1 − φ)/2 between neighbours.
  // Of few values it is a guess: more than this would drown real changes in supposed noise.
  const correlation = Math.min(0.8, Math.max(0, 1 + (2 * products) / squares))
  const variance = squares / count / (2 * (1 - correlation))
  return Math.sqrt((variance * (1 + correlation)) / (1 - correlation))
}

/**
 * Cuts what sticks out of its surroundings for less than `shortest` steps: a burst is no phase. `most` is
 * how far a value may be from the middle of its surroundings.
 */
export function withoutBursts(values: Float64Array, shortest: number, most: number): Float64Array {
  const reach = Math.max(1, shortest - 1)
  return values.map((value, index) => {
    const around = values.subarray(Math.max(0, index - reach), index + reach + 1)
    const middle = median(around)
    return Math.min(middle + most, Math.max(middle - most, value))
  })
}
