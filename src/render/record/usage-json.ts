import type { Measured } from '../../model/measured.ts'
import { usageName, usageNames, type UsageName } from '../../model/usage-names.ts'
import { furtherFigures, type Usage } from '../../model/usage.ts'
import { figureValue } from '../units/usage-figure.ts'

/** Figures of further gauges stand after the others, under their own names. */
export interface UsageJson {
  readonly usage: Readonly<Record<UsageName, number | null>>
  /** How each measured figure was obtained. */
  readonly basis: Readonly<Partial<Record<UsageName, string>>>
  /** Why each missing figure is missing. */
  readonly unmeasured: Readonly<Partial<Record<UsageName, string>>>
}

/** A usage as JSON shows it: every figure or null, rounded by its unit, apart from where it is from. */
export function usageJson(usage: Usage): UsageJson {
  const figures: Partial<Record<string, number | null>> = {}
  const basis: Partial<Record<string, string>> = {}
  const unmeasured: Partial<Record<string, string>> = {}
  const put = (key: string, name: string, figure: Measured): void => {
    figures[name] = figureValue(figure, key)
    if (figure.value === null) unmeasured[name] = figure.why
    else basis[name] = figure.basis
  }
  for (const [key, name] of usageNames) put(key, name, usage[key])
  for (const [key, figure] of furtherFigures(usage)) put(key, usageName(key), figure)
  return { usage: figures as UsageJson['usage'], basis, unmeasured }
}
