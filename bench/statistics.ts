export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length / 2
  const upper = sorted[Math.floor(half)] ?? Number.NaN
  return Number.isInteger(half) ? ((sorted[half - 1] ?? Number.NaN) + upper) / 2 : upper
}

/**
 * The two-sided rank-sum test (Mann and Whitney): how probable so uneven a ranking would be if both
 * came from one source. By the normal approximation, good from about ten values on each side.
 */
export function rankSumProbability(a: readonly number[], b: readonly number[]): number {
  let below = 0
  for (const x of a) for (const y of b) below += x < y ? 1 : x === y ? 0.5 : 0
  const mean = (a.length * b.length) / 2
  const deviation = Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12)
  return 2 * (1 - normalDistribution(Math.abs(below - mean) / deviation))
}

/** Simpson's rule over the bell curve from 0; beyond 8 deviations nothing is left. */
function normalDistribution(deviations: number): number {
  const steps = 200
  const width = Math.min(deviations, 8) / steps
  const bell = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
  let area = 0
  for (let step = 0; step < steps; step++) {
    const left = step * width
    area += (width / 6) * (bell(left) + 4 * bell(left + width / 2) + bell(left + width))
  }
  return 0.5 + area
}
