import { measured, unmeasured, type Measured } from '../../model/measured.ts'
import { usageKeys, type Usage } from '../../model/usage.ts'
import { MalformedRow } from './errors.ts'

/** A usage as it is stored. JSON has no NaN or infinity: such a figure is stored as not measured. */
export function usageText(usage: Usage): string {
  return JSON.stringify(usage, (_key, entry: unknown) => {
    const figure = asMeasured(entry)
    return figure === undefined || figure.value === null
      ? entry
      : measured(figure.value, figure.basis)
  })
}

/** Restores a usage that an older or a newer build may have stored. */
export function parseUsage(text: string): Usage {
  const stored: unknown = JSON.parse(text)
  if (typeof stored !== 'object' || stored === null)
    throw new MalformedRow('usage is not an object')
  const entries = new Map<string, unknown>(Object.entries(stored))
  const missing = unmeasured('not recorded by the version that measured it')
  const figures = usageKeys.map((key) => [key, asMeasured(entries.get(key)) ?? missing])
  return Object.fromEntries(figures) as Usage
}

function asMeasured(entry: unknown): Measured | undefined {
  if (typeof entry !== 'object' || entry === null || !('value' in entry)) return undefined
  const { value } = entry
  if (typeof value === 'number' && 'basis' in entry && typeof entry.basis === 'string')
    return { value, basis: entry.basis }
  if (value === null && 'why' in entry && typeof entry.why === 'string')
    return unmeasured(entry.why)
  return undefined
}
