import { fitLine } from '../statistics/line-fit.ts'
import { median } from '../statistics/median.ts'
import { noiseOf } from './noise.ts'

/** The slow side of a tooth takes at least so many steps and is this straight; chance makes neither. */
const shortestSlope = 5
const leastRSquared = 0.8

/** How often the values climb through most of their range and fall back, one of the two slowly. */
export function countTeeth(values: Float64Array, range: number): number {
  if (noiseOf(values) > range / 3) return 0
  const turns = turningPoints(values, range / 2)
  const limbs = turns.slice(1).map((turn, index) => [turns[index] ?? turn, turn] as const)
  const climbs = limbs.filter(([from, to]) => (values[to] ?? 0) > (values[from] ?? 0))
  const falls = limbs.filter(([from, to]) => (values[to] ?? 0) < (values[from] ?? 0))
  const teeth = Math.min(climbs.length, falls.length)
  return isSlope(climbs, values) || isSlope(falls, values) ? teeth : 0
}

function isSlope(limbs: readonly (readonly [number, number])[], values: Float64Array): boolean {
  if (limbs.length === 0) return false
  const fits = limbs.map(([from, to]) => fitLine(values.subarray(from, to + 1)).rSquared)
  const lengths = limbs.map(([from, to]) => to - from)
  return median(lengths) >= shortestSlope && median(fits) >= leastRSquared
}

/** Where the values turn by at least so much: highs and lows in turn. */
function turningPoints(values: Float64Array, least: number): number[] {
  const turns: number[] = []
  let low = 0
  let high = 0
  let direction = 0
  const at = (index: number) => values[index] ?? 0
  values.forEach((value, index) => {
    if (value > at(high)) high = index
    if (value < at(low)) low = index
    if (direction >= 0 && value <= at(high) - least) {
      turns.push(high)
      direction = -1
      low = index
    } else if (direction <= 0 && value >= at(low) + least) {
      turns.push(low)
      direction = 1
      high = index
    }
  })
  return turns
}
