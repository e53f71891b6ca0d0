import { measured, unmeasured, type Measured } from '../model/measured.ts'
import { isAmount, isObject, isText } from './valid.ts'

/** What stands for a figure that another build did not know. */
export const unknownThen = unmeasured('not recorded by the version that measured it')

/** A figure spelled out as JSON has it; undefined for what is none. */
export function figureOf(entry: unknown): Measured | undefined {
  if (!isObject(entry)) return undefined
  const { value, basis, why } = entry
  if (isAmount(value) && isText(basis)) return { value, basis }
  if (value !== null) return undefined
  if (isText(why)) return unmeasured(why)
  // JSON has no NaN or infinity: such a figure comes back without its number.
  return isText(basis) ? measured(Number.NaN, basis) : undefined
}
