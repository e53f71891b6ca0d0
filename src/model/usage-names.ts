import { usageKeys, type UsageKey } from './usage.ts'

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''

/** `cpuPercentP95` is `cpu_percent_p95` in JSON and in columns. */
export type UsageName = SnakeCase<UsageKey>

/** Every figure of a usage with its name for people and scripts. */
export const usageNames: readonly (readonly [key: UsageKey, name: UsageName])[] = usageKeys.map(
  (key) => [key, usageName(key) as UsageName],
)

/** The name of any figure, of further gauges too. */
export function usageName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
