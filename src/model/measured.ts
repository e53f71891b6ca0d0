/** A figure with how it was obtained, or the reason why there is none. Never a 0 that means "unknown". */
export type Measured =
  | { readonly value: number; readonly basis: string }
  | { readonly value: null; readonly why: string }

/** A figure; a number that is not finite was never measured and must not pass as one. */
export function measured(value: number, basis: string): Measured {
  return Number.isFinite(value) ? { value, basis } : { value: null, why: `${basis} gave no number` }
}

const lowerBound = 'at least: '

/** A figure that is certainly not too high, of which it is known that more may have been there. */
export function atLeast(value: number, basis: string): Measured {
  return measured(value, `${lowerBound}${basis}`)
}

/** Whether the truth may be more than is told. */
export function isLowerBound(figure: Measured): boolean {
  return figure.value !== null && figure.basis.startsWith(lowerBound)
}

export const unmeasured = (why: string): Measured => ({ value: null, why })
