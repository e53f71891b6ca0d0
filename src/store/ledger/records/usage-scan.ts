import { isAmount } from '../../valid.ts'
import { formedUsage, parseJson } from './usage-form.ts'

/** Single figures of a stored usage: restoring all of it takes several times as long, for two or five numbers of forty. */
export interface FigureScan {
  /** The number of a figure; undefined where there is none. */
  figure(key: string): number | undefined
  /** How it was obtained; undefined where it was not. */
  basis(key: string): string | undefined
}

export function scanUsage(usage: string): FigureScan {
  const formed = formedUsage(usage)
  if (formed === undefined)
    return { figure: (key) => figureIn(usage, key), basis: (key) => basisIn(usage, key) }
  const { form, values } = formed
  return {
    figure: (key) => values[form.places.get(key) ?? -1],
    basis: (key) => form.bases.get(key),
  }
}

/*
 * Of a usage that is stored as a whole. A key cannot stand elsewhere in the text than before its figure: inside a JSON
 * string its quotes would be escaped.
 */

const markOf = (key: string): string => `"${key}":`

function figureIn(usage: string, key: string): number | undefined {
  const mark = markOf(key)
  const found = usage.indexOf(mark)
  if (found < 0) return undefined
  const from = found + mark.length
  const figure = Number.parseFloat(usage.slice(from, from + longestNumber))
  return isAmount(figure) ? figure : undefined
}

/** Of those that JSON writes, such as -1.2345678901234567e-300. */
const longestNumber = 25

/** A text in which a group begins has its quotes escaped. */
function basisIn(usage: string, key: string): string | undefined {
  const found = usage.indexOf(markOf(key))
  const from = usage.lastIndexOf('["', found)
  const end = usage.indexOf('",{', from)
  if (found < 0 || from < 0 || end < 0 || end > found) return undefined
  const basis = parseJson(usage.slice(from + 1, end + 1))
  return typeof basis === 'string' ? basis : undefined
}
