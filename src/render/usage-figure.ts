import type { BriefUsage } from '../model/brief-record.ts'
import type { UsageKey } from '../model/usage.ts'
import { roundKeeping } from './figures.ts'

/** The one place where a figure is rounded; text and JSON both show what it answers. */
export function usageFigure<Key extends UsageKey>(usage: BriefUsage<Key>, key: Key): number | null {
  const { value } = usage[key]
  return value === null ? null : roundKeeping(value, decimalsOf(key))
}

/** Counters are in microseconds at best; a thousandth of a percent is far below what can be told. */
function decimalsOf(key: UsageKey): number {
  if (key.endsWith('Seconds')) return 6
  return key.includes('Percent') ? 3 : 0
}
