import type { Curve } from './decimate.ts'

/**
 * The highest of many curves at each moment, over so many equal steps of time. No peak is lost to the steps. Where there is
 * no curve, nothing is known: NaN.
 */
export function upperEnvelope(curves: readonly Curve[], steps: number): Curve {
  let from = Infinity
  let to = -Infinity
  for (const { times } of curves) {
    from = Math.min(from, times[0] ?? Infinity)
    to = Math.max(to, times.at(-1) ?? -Infinity)
  }
  if (from > to) return { times: new Float64Array(), values: new Float64Array() }
  const width = (to - from) / steps || 1
  const highest = new Float64Array(steps).fill(Number.NaN)
  const stepOf = (time: number) => Math.min(steps - 1, Math.floor((time - from) / width))
  for (const { times, values } of curves) {
    for (let index = 0; index < times.length; index++) {
      // Between two samples a curve is no higher than the higher of them.
      const before = Math.max(0, index - 1)
      const high = Math.max(values[before] ?? 0, values[index] ?? 0)
      const last = stepOf(times[index] ?? 0)
      for (let step = stepOf(times[before] ?? 0); step <= last; step++)
        if (!(high <= (highest[step] ?? 0))) highest[step] = high
    }
  }
  return steppedCurve(highest, from, width)
}

/** A point in the middle of each step; where a gap begins or ends also at the edge, so that a lone step is a line too. */
function steppedCurve(highest: Float64Array, from: number, width: number): Curve {
  const times: number[] = []
  const values: number[] = []
  const put = (step: number, value: number) => {
    times.push(from + step * width)
    values.push(value)
  }
  const isGap = (step: number) => Number.isNaN(highest[step] ?? Number.NaN)
  for (const [step, value] of highest.entries()) {
    if (isGap(step - 1) && !isGap(step)) put(step, value)
    put(step + 0.5, value)
    if (isGap(step + 1) && !isGap(step)) put(step + 1, value)
  }
  return { times: Float64Array.from(times), values: Float64Array.from(values) }
}
