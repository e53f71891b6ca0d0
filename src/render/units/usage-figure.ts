import type { BriefUsage } from '../../model/brief-record.ts'
import { isLowerBound, type BriefFigure } from '../../model/measured.ts'
import { isDurationBound, type AttemptStatus } from '../../model/outcome.ts'
import type { Usage, UsageKey } from '../../model/usage.ts'
import { roundKeeping } from './figures.ts'

/** The one place where a figure is rounded; text and JSON both show what it answers. */
export function figureValue({ value }: BriefFigure, key: string): number | null {
  return value === null ? null : roundKeeping(value, decimalsOf(key))
}

export const usageFigure = <Key extends UsageKey>(
  usage: BriefUsage<Key>,
  key: Key,
): number | null => figureValue(usage[key], key)

/** `at least ` before a figure of which more may have been there, and nothing before others. */
export const atLeastWords = <Key extends UsageKey>(usage: BriefUsage<Key>, key: Key): string =>
  boundWords(usage[key])

export const boundWords = (figure: BriefFigure): string =>
  isLowerBound(figure) ? lowerBoundWords : ''

export const lowerBoundWords = 'at least '

/** What goes before the duration of an attempt. */
export const durationBound = (status: AttemptStatus): string =>
  isDurationBound(status) ? lowerBoundWords : ''

/** `at least 0.82 GB`, or why there is no figure. */
export function figureWords(usage: Usage, key: UsageKey, words: (value: number) => string): string {
  const value = usageFigure(usage, key)
  const figure = usage[key]
  if (value !== null) return `${atLeastWords(usage, key)}${words(value)}`
  return `not measured: ${figure.value === null ? figure.why : ''}`
}

/** Counters are in microseconds at best; a thousandth of a percent is far below what can be told. */
function decimalsOf(key: string): number {
  if (key.endsWith('Seconds')) return 6
  if (key.includes('Joules') || key.includes('Cores')) return 3
  return ['Percent', 'Watts', 'Celsius'].some((unit) => key.includes(unit)) ? 3 : 0
}

/** For what was measured and came to "at least 0", which says nothing, but is not the same as not measured. */
export const noneSeenWords = 'none seen'
