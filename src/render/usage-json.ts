import { usageKeys, type Usage, type UsageKey } from '../model/usage.ts'
import { usageFigure } from './usage-figure.ts'

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''

/** `cpuPercentP95` is `cpu_percent_p95` in JSON. */
export type UsageJsonKey = SnakeCase<UsageKey>

export interface UsageJson {
  readonly usage: Readonly<Record<UsageJsonKey, number | null>>
  /** How each measured figure was obtained. */
  readonly basis: Readonly<Partial<Record<UsageJsonKey, string>>>
  /** Why each missing figure is missing. */
  readonly unmeasured: Readonly<Partial<Record<UsageJsonKey, string>>>
}

const names = usageKeys.map(
  (key) =>
    [key, key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as UsageJsonKey] as const,
)

/** A usage as JSON shows it: every figure or null, rounded by its unit, apart from where it is from. */
export function usageJson(usage: Usage): UsageJson {
  const figures: Partial<Record<UsageJsonKey, number | null>> = {}
  const basis: Partial<Record<UsageJsonKey, string>> = {}
  const unmeasured: Partial<Record<UsageJsonKey, string>> = {}
  for (const [key, name] of names) {
    const figure = usage[key]
    figures[name] = usageFigure(usage, key)
    if (figure.value === null) unmeasured[name] = figure.why
    else basis[name] = figure.basis
  }
  return { usage: figures as UsageJson['usage'], basis, unmeasured }
}
