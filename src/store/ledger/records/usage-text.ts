import { measured, unmeasured, type Measured } from '../../../model/measured.ts'
import { isFurtherKey, usageKeys, type Usage } from '../../../model/usage.ts'
import { MalformedRow } from '../../errors.ts'
import { figureOf, unknownThen } from '../../figure.ts'
import { isAmount, isObject } from '../../valid.ts'
import { figuresOf, formedUsage, formOf, pairIn, parseJson } from './usage-form.ts'

/** A usage that is stored as a whole: its figures by how they were obtained, and what is missing by the reason. */
interface StoredUsage {
  readonly measured: readonly (readonly [basis: string, Record<string, number>])[]
  readonly unmeasured: readonly (readonly [why: string, readonly string[]])[]
}

export function usageText(usage: Usage): string {
  const figures = usage as Readonly<Record<string, Measured>>
  const form = formOf(usage)
  const stored: StoredUsage = {
    ...form,
    measured: form.measured.map(([basis, keys]) => [
      basis,
      Object.fromEntries(keys.map((key) => [key, figures[key]?.value ?? Number.NaN])),
    ]),
  }
  return JSON.stringify(stored)
}

/** Restores a usage that an older or a newer build may have stored, or one with other gauges. */
export function parseUsage(text: string): Usage {
  const found = figuresIn(text)
  const usage: Partial<Record<string, Measured>> = {}
  for (const key of usageKeys) usage[key] = found.get(key) ?? unknownThen
  for (const [key, figure] of found) if (isFurtherKey(key)) usage[key] = figure
  return usage as Usage
}

function figuresIn(text: string): ReadonlyMap<string, Measured> {
  const formed = formedUsage(text)
  if (formed !== undefined) return new Map(figuresOf(formed))
  const stored = parseJson(text)
  if (!isObject(stored)) throw new MalformedRow('usage is not an object')
  return isGrouped(stored) ? ungroup(stored) : new Map(spelledOut(stored))
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

/** As the first version of the ledger has it: an object for each figure. */
function* spelledOut(stored: object): Iterable<[string, Measured]> {
  for (const [key, entry] of Object.entries(stored)) {
    const figure = figureOf(entry)
    if (figure !== undefined) yield [key, figure]
  }
}
