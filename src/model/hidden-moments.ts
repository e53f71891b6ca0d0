import { roughSeconds } from './rough-figures.ts'

/** What happens between looks that are further apart than this may hide a busier second. */
export const hidingSeconds = 1.5

/**
 * How a figure of moments says for how long a busier one may have hidden. A record keeps figures and their bases alone, so
 * that stands in the basis.
 */
export const hiddenText = (hiddenSeconds: number): string =>
  hiddenSeconds === 0
    ? ''
    : `; for ${roughSeconds(hiddenSeconds)}, looks were over ${hidingSeconds} s apart`

/** Whether such a basis says that one may have. */
export const tellsOfHidden = (basis: string): boolean => basis.includes(', looks were over ')
