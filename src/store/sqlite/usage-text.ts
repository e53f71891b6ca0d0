import { measured, unmeasured, type Measured } from '../../model/measured.ts'
import { usageKeys, type Usage } from '../../model/usage.ts'
import { MalformedRow } from '../errors.ts'

/**
 * A usage as it is stored: its figures by how they were obtained, and what is missing by the reason. Some
 * forty figures share a handful of those, and spelled out for each they would be three quarters of
 * the ledger and of the time it takes to write an end.
 */
interface StoredUsage {
  readonly measured: readonly (readonly [basis: string, Record<string, number>])[]
  readonly unmeasured: readonly (readonly [why: string, readonly string[]])[]
}

export function usageText(usage: Usage): string {
  const figures = new Map<string, Record<string, number>>()
  const missing = new Map<string, string[]>()
  for (const key of usageKeys) {
    const figure = finite(usage[key])
    if (figure.value === null) entryOf(missing, figure.why, () => []).push(key)
    else entryOf<Record<string, number>>(figures, figure.basis, () => ({}))[key] = figure.value
  }
  const stored: StoredUsage = { measured: [...figures], unmeasured: [...missing] }
  return JSON.stringify(stored)
}

/** JSON has no NaN or infinity: such a figure is stored as not measured. */
const finite = (figure: Measured): Measured =>
  figure.value === null || Number.isFinite(figure.value)
    ? figure
    : measured(figure.value, figure.basis)

function entryOf<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

const unknownThen = unmeasured('not recorded by the version that measured it')

/** Restores a usage that an older or a newer build may have stored. */
export function parseUsage(text: string): Usage {
  const stored: unknown = JSON.parse(text)
  if (typeof stored !== 'object' || stored === null)
    throw new MalformedRow('usage is not an object')
  const found = isGrouped(stored) ? ungroup(stored) : new Map(spelledOut(stored))
  const usage: Partial<Record<string, Measured>> = {}
  for (const key of usageKeys) usage[key] = found.get(key) ?? unknownThen
  return usage as Usage
}

const isGrouped = (stored: object): stored is StoredUsage =>
  'measured' in stored && Array.isArray(stored.measured) && 'unmeasured' in stored

function ungroup(stored: StoredUsage): Map<string, Measured> {
  const found = new Map<string, Measured>()
  for (const [basis, figures] of stored.measured)
    for (const key of Object.keys(figures)) {
      const value: unknown = figures[key]
      if (typeof value === 'number') found.set(key, { value, basis })
    }
  for (const [why, keys] of stored.unmeasured) {
    const missing = unmeasured(why)
    for (const key of keys) found.set(key, missing)
  }
  return found
}

/** As the first version of the ledger has it: an object for each figure. */
function* spelledOut(stored: object): Iterable<[string, Measured]> {
  for (const [key, entry] of Object.entries(stored)) {
    const figure = asMeasured(entry)
    if (figure !== undefined) yield [key, figure]
  }
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
