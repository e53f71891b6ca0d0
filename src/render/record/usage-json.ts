import { usageNames, type UsageName } from '../../model/usage-names.ts'
import type { Usage } from '../../model/usage.ts'
import { usageFigure } from '../units/usage-figure.ts'

export interface UsageJson {
  readonly usage: Readonly<Record<UsageName, number | null>>
  /** How each measured figure was obtained. */
  readonly basis: Readonly<Partial<Record<UsageName, string>>>
  /** Why each missing figure is missing. */
  readonly unmeasured: Readonly<Partial<Record<UsageName, string>>>
}

/** A usage as JSON shows it: every figure or null, rounded by its unit, apart from where it is from. */
export function usageJson(usage: Usage): UsageJson {
  const figures: Partial<Record<UsageName, number | null>> = {}
  const basis: Partial<Record<UsageName, string>> = {}
  const unmeasured: Partial<Record<UsageName, string>> = {}
  for (const [key, name] of usageNames) {
    const figure = usage[key]
    figures[name] = usageFigure(usage, key)
    if (figure.value === null) unmeasured[name] = figure.why
    else basis[name] = figure.basis
  }
  return { usage: figures as UsageJson['usage'], basis, unmeasured }
}
