/** A figure with how it was obtained, or the reason why there is none. Never a 0 that means "unknown". */
export type Measured =
  | { readonly value: number; readonly basis: string }
  | { readonly value: null; readonly why: string }

/** A figure; a number that is negative or not finite was never measured and must not pass as one. */
export function measured(value: number, basis: string): Measured {
  return value >= 0 && value < Infinity
    ? { value, basis }
    : { value: null, why: `${basis} gave no number` }
}

export const unmeasured = (why: string): Measured => ({ value: null, why })
