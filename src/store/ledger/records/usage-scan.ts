import { usageKeys, type UsageKey } from '../../../model/usage.ts'
import { isAmount } from '../../valid.ts'
import { parseJson } from './usage-text.ts'

/*
 * Reads single figures out of a stored usage. Parsing it whole takes several times as long, for two or five numbers of
 * forty. A key cannot stand elsewhere in the text than before its figure: inside a JSON string its quotes would be escaped.
 */

const markOf = Object.fromEntries(usageKeys.map((key) => [key, `"${key}":`])) as Readonly<
  Record<UsageKey, string>
>

/** The same of a figure that only some gauge knows. */
export const furtherFigureIn = (usage: string, key: string): number | undefined =>
  figureAfter(usage, `"${key}":`)

/** The number that follows a key; undefined where there is none. */
export function figureIn(usage: string, key: UsageKey): number | undefined {
  return figureAfter(usage, markOf[key])
}

function figureAfter(usage: string, mark: string): number | undefined {
  const found = usage.indexOf(mark)
  if (found < 0) return undefined
  const from = found + mark.length
  const figure = Number.parseFloat(usage.slice(from, from + longestNumber))
  return isAmount(figure) ? figure : undefined
}

/** Of those that JSON writes, such as -1.2345678901234567e-300. */
const longestNumber = 25

/** How the figure of a key was obtained; undefined where it was not. A text in which a group begins has its quotes escaped. */
export function basisIn(usage: string, key: UsageKey): string | undefined {
  const found = usage.indexOf(markOf[key])
  const from = usage.lastIndexOf('["', found)
  const end = usage.indexOf('",{', from)
  if (found < 0 || from < 0 || end < 0 || end > found) return undefined
  const basis = parseJson(usage.slice(from + 1, end + 1))
  return typeof basis === 'string' ? basis : undefined
}
