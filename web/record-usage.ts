import type { Measured } from '../src/model/measured.ts'
import type { Usage } from '../src/model/usage.ts'
import type { RecordJson } from '../src/render/record/record-json.ts'

/** The usage of a record as it was before it became JSON: each figure with how it was obtained, or why it is missing. */
export function usageOf({ usage, ...record }: RecordJson): Usage {
  const basis: Readonly<Record<string, string>> = record.basis
  const unmeasured: Readonly<Record<string, string>> = record.unmeasured
  const figures = Object.entries(usage).map(([name, value]): [string, Measured] => [
    name.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase()),
    typeof value === 'number'
      ? { value, basis: basis[name] ?? '' }
      : { value: null, why: unmeasured[name] ?? 'not measured' },
  ])
  return Object.fromEntries(figures) as unknown as Usage
}
