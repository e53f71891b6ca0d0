/** One figure over the same steps of time as the others, and how much of it is noise. */
export interface Channel {
  readonly values: Float64Array
  readonly noise: number
  /** What a stretch without change is: a level, or a straight line that may rise or fall. */
  readonly shape: 'level' | 'line'
}

/**
 * Where the figures change, all together: the starts of all stretches but the first. Of all ways to divide
 * the time, the one with the least cost, which is what the stretches leave unexplained, in units of the noise, plus a price
 * for each (Bayes' information criterion: each number that describes a stretch costs the logarithm of the number
 * of steps). Every division is looked at (optimal partitioning), so no early choice spoils a later one.
 */
export function changePoints(channels: readonly Channel[], shortest: number): number[] {
  const length = channels[0]?.values.length ?? 0
  if (length < 2 * shortest) return []
  const numbers = channels.reduce((sum, { shape }) => sum + (shape === 'line' ? 2 : 1), 1)
  const price = pricePerNumber * numbers * Math.log(Math.max(length, fewestSteps))
  const costs = channels.map(segmentCost)
  const least = new Float64Array(length + 1).fill(Infinity)
  const start = new Int32Array(length + 1)
  least[0] = -price
  for (let end = shortest; end <= length; end += 1) {
    for (let from = 0; from <= end - shortest; from += 1) {
      let cost = (least[from] ?? Infinity) + price
      for (const costOf of costs) {
        if (cost >= (least[end] ?? Infinity)) break
        cost += costOf(from, end)
      }
      if (cost < (least[end] ?? Infinity)) {
        least[end] = cost
        start[end] = from
      }
    }
  }
  const found: number[] = []
  for (let at = start[length] ?? 0; at > 0; at = start[at] ?? 0) found.unshift(at)
  return found
}

/** Above the criterion's 1: the noise is an estimate too, and real noise is not Gaussian. */
const pricePerNumber = 1.2
/** So that a short series is not cheaper to cut into pieces. */
const fewestSteps = 60

/** What a stretch leaves unexplained, by running sums, so that each question takes the same short time. */
function segmentCost({ values, noise, shape }: Channel): (from: number, end: number) => number {
  const scaled = noise > 0 ? values.map((value) => value / noise) : values
  // Sums of squares of large numbers lose their last digits; around the mean they are small.
  const middle = scaled.reduce((sum, value) => sum + value, 0) / scaled.length
  const sums = running(scaled, (value) => value - middle)
  const squares = running(scaled, (value) => (value - middle) ** 2)
  const products = running(scaled, (value, index) => (value - middle) * index)
  return (from, end) => {
    const count = end - from
    const sum = between(sums, from, end)
    const level = between(squares, from, end) - (sum * sum) / count
    if (shape === 'level' || count < 3) return Math.max(0, level)
    const mean = (from + end - 1) / 2
    const spread = (count * (count * count - 1)) / 12
    const slope = between(products, from, end) - mean * sum
    return Math.max(0, level - (slope * slope) / spread)
  }
}

function running(
  values: Float64Array,
  part: (value: number, index: number) => number,
): Float64Array {
  const sums = new Float64Array(values.length + 1)
  values.forEach((value, index) => {
    sums[index + 1] = (sums[index] ?? 0) + part(value, index)
  })
  return sums
}

const between = (sums: Float64Array, from: number, end: number): number =>
  (sums[end] ?? 0) - (sums[from] ?? 0)
