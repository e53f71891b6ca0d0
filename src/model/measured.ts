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

const lowerBound = 'at least: '

/** A figure that is certainly not too high, of which it is known that more may have been there. */
export function atLeast(value: number, basis: string): Measured {
  return measured(value, `${lowerBound}${basis}`)
}

/**
 * A figure that need not say how it was obtained, but says that it is a lower bound where it is one. A `Measured` is
 * one too.
 */
export interface BriefFigure {
  readonly value: number | null
  readonly basis?: string
}

/** Whether the truth may be more than is told. */
export const isLowerBound = ({ value, basis }: BriefFigure): boolean =>
  value !== null && basis !== undefined && isOfLowerBound(basis)

/**
 * Whether a basis is that of a lower bound: one that begins so is; and, in words of older records, that of one
 * process for the whole job, of a look that came too early and of a runner that died.
 */
export function isOfLowerBound(basis: string): boolean {
  return (
    basis.startsWith('at least') ||
    basis.startsWith('largest process,') ||
    basis.includes('it may have grown since') ||
    basis === 'last sample before the runner died'
  )
}

export const unmeasured = (why: string): Measured => ({ value: null, why })
