/** A figure with how it was obtained, or the reason why there is none. Never a 0 that means "unknown". */
export type Measured =
  | { readonly value: number; readonly basis: string }
  | { readonly value: null; readonly why: string }

/** A figure; a number that is not finite was never measured and must not pass as one. */
export function measured(value: number, basis: string): Measured {
  return Number.isFinite(value) ? { value, basis } : { value: null, why: `${basis} gave no number` }
}

export const unmeasured = (why: string): Measured => ({ value: null, why })

/**
 * Whether a figure is known to be too small, or may be: it was at least that. Told by its basis, which begins so; and, in words
 * that older records have too, of one process for the whole job, of a look that came too early and of a runner that died.
 */
export const isLowerBound = (basis: string): boolean =>
  basis.startsWith('at least') ||
  basis.startsWith('largest process') ||
  basis.endsWith('it may have grown since') ||
  basis === 'last sample before the runner died'
