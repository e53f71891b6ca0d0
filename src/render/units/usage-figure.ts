import type { BriefUsage } from '../../model/brief-record.ts'
import { isLowerBound } from '../../model/measured.ts'
import type { Usage, UsageKey } from '../../model/usage.ts'
import { roundKeeping } from './figures.ts'

/** The one place where a figure is rounded; text and JSON both show what it answers. */
export function usageFigure<Key extends UsageKey>(usage: BriefUsage<Key>, key: Key): number | null {
  const { value } = usage[key]
  return value === null ? null : roundKeeping(value, decimalsOf(key))
}

/** `at least ` before a figure of which more may have been there, and nothing before others. */
export const atLeastWords = <Key extends UsageKey>(usage: BriefUsage<Key>, key: Key): string =>
  isLowerBound(usage[key]) ? lowerBoundWords : ''

export const lowerBoundWords = 'at least '

/** `at least 0.82 GB`, or why there is no figure. */
export function figureWords(usage: Usage, key: UsageKey, words: (value: number) => string): string {
  const value = usageFigure(usage, key)
  const figure = usage[key]
  if (value !== null) return `${atLeastWords(usage, key)}${words(value)}`
  return `not measured: ${figure.value === null ? figure.why : ''}`
}

/** Counters are in microseconds at best; a thousandth of a percent is far below what can be told. */
function decimalsOf(key: UsageKey): number {
  if (key.endsWith('Seconds')) return 6
  return key.includes('Percent') ? 3 : 0
}
