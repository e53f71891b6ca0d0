import { measured, unmeasured, type Measured } from '../../../model/measured.ts'
import { furtherFigures, isFurtherKey, usageKeys, type Usage } from '../../../model/usage.ts'
import { MalformedRow } from '../../errors.ts'
import { figureOf, unknownThen } from '../../figure.ts'
import { isAmount, isObject, isText } from '../../valid.ts'

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
  const put = (key: string, told: Measured): void => {
    const figure = finite(told)
    if (figure.value === null) entryOf(missing, figure.why, () => []).push(key)
    else entryOf<Record<string, number>>(figures, figure.basis, () => ({}))[key] = figure.value
  }
  for (const key of usageKeys) put(key, usage[key])
  for (const [key, figure] of furtherFigures(usage)) put(key, figure)
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

/** Restores a usage that an older or a newer build may have stored, or one with other gauges. */
export function parseUsage(text: string): Usage {
  const stored = parseJson(text)
  if (!isObject(stored)) throw new MalformedRow('usage is not an object')
  const found = isGrouped(stored) ? ungroup(stored) : new Map(spelledOut(stored))
  const usage: Partial<Record<string, Measured>> = {}
  for (const key of usageKeys) usage[key] = found.get(key) ?? unknownThen
  for (const [key, figure] of found) if (isFurtherKey(key)) usage[key] = figure
  return usage as Usage
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new MalformedRow('usage is not JSON')
  }
}

const isGrouped = (stored: object): stored is Record<keyof StoredUsage, readonly unknown[]> =>
  'measured' in stored &&
  Array.isArray(stored.measured) &&
  'unmeasured' in stored &&
  Array.isArray(stored.unmeasured)

function ungroup(stored: Record<keyof StoredUsage, readonly unknown[]>): Map<string, Measured> {
  const found = new Map<string, Measured>()
  for (const group of stored.measured) {
    const [basis, figures] = pairIn(group)
    if (!isObject(figures)) throw new MalformedRow('usage holds figures without their names')
    for (const key of Object.keys(figures)) {
      const value = figures[key]
      found.set(key, measured(isAmount(value) ? value : Number.NaN, basis))
    }
  }
  for (const group of stored.unmeasured) {
    const [why, keys] = pairIn(group)
    if (!Array.isArray(keys)) throw new MalformedRow('usage holds reasons without figures')
    const missing = unmeasured(why)
    for (const key of keys) found.set(String(key), missing)
  }
  return found
}

function pairIn(group: unknown): readonly [string, unknown] {
  if (!Array.isArray(group) || !isText(group[0])) throw new MalformedRow('usage holds no pairs')
  return [group[0], group[1]]
}

/** As the first version of the ledger has it: an object for each figure. */
function* spelledOut(stored: object): Iterable<[string, Measured]> {
  for (const [key, entry] of Object.entries(stored)) {
    const figure = figureOf(entry)
    if (figure !== undefined) yield [key, figure]
  }
}
