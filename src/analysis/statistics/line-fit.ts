/** A straight line through values at equal steps, by least squares. */
export interface LineFit {
  readonly slopePerStep: number
  readonly start: number
  /** The share of the variation that the line explains; 0 where there is none. */
  readonly rSquared: number
}

export function fitLine(values: Float64Array | readonly number[]): LineFit {
  const count = values.length
  const middle = (count - 1) / 2
  let mean = 0
  for (const value of values) mean += value / count
  let products = 0
  let variation = 0
  values.forEach((value: number, index: number) => {
    products += (index - middle) * (value - mean)
    variation += (value - mean) ** 2
  })
  const spread = (count * (count * count - 1)) / 12
  const slopePerStep = spread > 0 ? products / spread : 0
  return {
    slopePerStep,
    start: mean - slopePerStep * middle,
    rSquared: variation > 0 ? Math.min(1, (slopePerStep * products) / variation) : 0,
  }
}
