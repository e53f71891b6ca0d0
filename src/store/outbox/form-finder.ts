import type { SQLOutputValue } from 'node:sqlite'
import { MalformedRow } from '../errors.ts'
import { formOf, measuredKeys, valuesText } from '../ledger/records/usage-form.ts'
import { parseUsage, usageText } from '../ledger/records/usage-text.ts'

/** A usage as the team stores it: whole, or its numbers and the form that says what they are. */
export interface SentUsage {
  readonly text: SQLOutputValue
  readonly form?: string
}

/** So many forms are remembered. */
const mostForms = 2000

/**
 * Splits usages into forms and numbers: 240 bytes a record instead of 2,400. Where a form holds a number in its words it never
 * comes again, so one is used from the second time on.
 */
export class FormFinder {
  readonly #seen = new Set<string>()

  usageOf(stored: SQLOutputValue, form: SQLOutputValue): SentUsage {
    if (typeof stored !== 'string') return { text: stored }
    if (typeof form === 'string') return { text: stored, form }
    const split = splitUsage(stored)
    if (split === undefined) return { text: stored }
    if (this.#seen.has(split.form)) return split
    if (this.#seen.size === mostForms) this.#seen.clear()
    this.#seen.add(split.form)
    return { text: stored }
  }
}

/** Undefined where something would be lost by it. */
function splitUsage(stored: string): { text: string; form: string } | undefined {
  try {
    const usage = parseUsage(stored)
    const form = formOf(usage)
    const text = valuesText(usage, measuredKeys(form))
    const formText = JSON.stringify(form)
    const isSame = usageText(parseUsage(`${formText}\n${text}`)) === usageText(usage)
    return isSame ? { text, form: formText } : undefined
  } catch (error) {
    if (error instanceof MalformedRow) return undefined
    throw error
  }
}
