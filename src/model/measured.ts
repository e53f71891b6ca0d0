/**
 * A figure and how it was obtained, or the reason why it is missing. It is never a 0 that means "unknown".
 *
 * @example
 * ```ts
 * import { measure, type Measured } from 'jobmeter'
 *
 * const inWords = (figure: Measured): string =>
 *   figure.value === null ? `not measured: ${figure.why}` : `${figure.value} (${figure.basis})`
 * const { usage } = await measure(['true'])
 * console.log(inWords(usage.cpuTotalSeconds), inWords(usage.ioDelaySeconds))
 * ```
 */
export type Measured =
  | { readonly value: number; readonly basis: string }
  | { readonly value: null; readonly why: string }

/** A figure; a number that is negative or not finite was never measured and must not pass as one. */
export function measured(value: number, basis: string): Measured {
  return value >= 0 && value < Infinity
    ? { value, basis }
    : { value: null, why: `no usable value came from: ${basis}` }
}

const lowerBound = 'at least: '

/** A figure that is certainly not too high, but may be too low. */
export function atLeast(value: number, basis: string): Measured {
  return measured(value, `${lowerBound}${basis}`)
}

/**
 * A figure that need not say how it was obtained, but does say if it is a lower bound. Every `Measured` is also a
 * `BriefFigure`.
 */
export interface BriefFigure {
  readonly value: number | null
  readonly basis?: string
}

/** Whether the true value may be higher. */
export const isLowerBound = ({ value, basis }: BriefFigure): boolean =>
  value !== null && basis !== undefined && isOfLowerBound(basis)

/** null where it may have been more. */
export const certainValue = (figure: BriefFigure): number | null =>
  isLowerBound(figure) ? null : figure.value

/**
 * Whether a basis is that of a lower bound. It is if it begins with "at least". In older records it also is if it stands
 * for one process instead of the whole job, for a look that came too early, or for a runner that died.
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
