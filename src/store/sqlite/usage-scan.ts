import type { BriefUsage } from '../../model/brief-record.ts'
import type { UsageKey } from '../../model/usage.ts'
import { parseUsage } from './usage-text.ts'

/*
 * Reads single figures out of a stored usage. Parsing it whole takes several times as long, for two or five numbers of
 * forty. A key cannot stand elsewhere in the text than before its figure: inside a JSON string its quotes would be escaped.
 */

/** The number that follows a key; undefined where there is none. */
export function figureIn(usage: string, key: UsageKey): number | undefined {
  const found = usage.indexOf(`"${key}":`)
  if (found < 0) return undefined
  const from = found + key.length + 3
  const figure = Number.parseFloat(usage.slice(from, from + longestNumber))
  return Number.isFinite(figure) ? figure : undefined
}

/** Of those that JSON writes, such as -1.2345678901234567e-300. */
const longestNumber = 25

const nothing = { value: null }

/** These figures; those of an attempt that has not ended are not known. */
export function briefUsage<Key extends UsageKey>(
  usage: string | null,
  keys: readonly Key[],
): BriefUsage<Key> {
  const figures: Partial<Record<Key, { readonly value: number | null }>> = {}
  for (const key of keys) figures[key] = nothing
  if (usage === null) return figures as BriefUsage<Key>
  // The first version of the ledger wrote an object for each figure.
  if (!usage.startsWith('{"measured":')) return parseUsage(usage)
  for (const key of keys) {
    const value = figureIn(usage, key)
    if (value !== undefined) figures[key] = { value }
  }
  return figures as BriefUsage<Key>
}
