/**
 * Holm's correction: p-values that can each be held against the rate though there are several of them. Who looks at ten
 * cells would otherwise see a false alarm in four of ten comparisons.
 */
export function holmAdjusted(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index)
  order.sort((left, right) => (pValues[left] ?? 1) - (pValues[right] ?? 1))
  const adjusted = pValues.map(() => 1)
  let highest = 0
  order.forEach((index, rank) => {
    highest = Math.max(highest, Math.min(1, (pValues.length - rank) * (pValues[index] ?? 1)))
    adjusted[index] = highest
  })
  return adjusted
}
