import type { Measured } from '../../model/measured.ts'
import type { Usage, UsageKey } from '../../model/usage.ts'
import { boundWords, figureValue } from '../units/usage-figure.ts'

export const partsBetween = ' · '
export const nothingMeasured = 'not measured'

export type Say = (bound: string, figure: number) => string | null

/** The words of a figure, `bound` before what may have been more; null where there is none, and for "at least 0". */
export function inWords(measured: Measured | undefined, key: string, say: Say): string | null {
  const figure = measured === undefined ? null : figureValue(measured, key)
  if (measured === undefined || figure === null) return null
  const bound = boundWords(measured)
  return figure === 0 && bound !== '' ? null : say(bound, figure)
}

export const known = (usage: Usage, key: UsageKey, say: Say): string | null =>
  inWords(usage[key], key, say)

export const joined = (parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null).join(partsBetween) || nothingMeasured
