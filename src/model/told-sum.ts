/**
 * What two are together; null is not told. Where one of them is not, the other is a lower bound, and that it was at least 0
 * says nothing.
 */
export const addTold = (one: number | null, other: number | null): number | null =>
  one !== null && other !== null ? one + other : (one ?? other) || null

/** The same of many; null of none. */
export const toldSum = (values: readonly (number | null)[]): number | null =>
  values.length === 0 ? null : values.reduce(addTold)
