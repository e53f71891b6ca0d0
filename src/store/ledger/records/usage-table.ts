import type { Usage } from '../../../model/usage.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { number } from '../../sqlite/row.ts'
import { formMark, formOf, haveSameForm, measuredKeys, valuesText } from './usage-form.ts'
import { usageText } from './usage-text.ts'

const keepWhole = 'INSERT OR REPLACE INTO attempt_usage (attempt_id, usage) VALUES (?, ?)'
const keepNumbers = `
  INSERT OR REPLACE INTO attempt_usage (attempt_id, usage, form_id)
  SELECT ?, ?, id FROM usage_form WHERE id = ?`
const dropUnused = `
  DELETE FROM usage_form
  WHERE id NOT IN (SELECT form_id FROM attempt_usage WHERE form_id IS NOT NULL)`

/** Deletes the forms that no usage has any more. */
export function dropUnusedForms(connection: Connection): void {
  connection.run(dropUnused)
}

interface KeptForm {
  readonly id: number
  readonly keys: readonly string[]
}

interface FormedUsage {
  readonly usage: Usage
  readonly form: KeptForm
}

/** Jobs of one kind differ in whether a look came in time: a few forms take turns. */
const mostRecent = 6
/** So many forms are kept in mind: some hold numbers in their words, and never come again. */
const mostForms = 500

/**
 * Writes usages. A form is kept when it comes for the second time: from then on only the numbers are written, a tenth of
 * the bytes, which is a fifth of what it takes to write down a short job.
 */
export class UsageTable {
  readonly #connection: Connection
  /** By their marks; undefined for one that came once. */
  readonly #forms = new Map<string, KeptForm | undefined>()
  /** The last usages that had a kept form, each of another one, and those forms; the newest first. */
  readonly #recent: FormedUsage[] = []
  #undone = 0

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Keeps it in place of an earlier one. */
  keep(attemptId: number, usage: Usage): void {
    const form = this.#formFor(usage)
    if (form !== undefined && this.#keepNumbers(attemptId, usage, form)) return
    this.#connection.run(keepWhole, attemptId, usageText(usage))
  }

  /** False where somebody has pruned the ledger, and the form is not there any more. */
  #keepNumbers(attemptId: number, usage: Usage, { id, keys }: KeptForm): boolean {
    const { changes } = this.#connection.run(keepNumbers, attemptId, valuesText(usage, keys), id)
    if (changes === 0) this.#forget()
    return changes > 0
  }

  #formFor(usage: Usage): KeptForm | undefined {
    this.#forgetUndone()
    const place = this.#recent.findIndex((recent) => haveSameForm(usage, recent.usage))
    const form = place < 0 ? this.#formByMark(usage) : this.#recent[place]?.form
    if (form === undefined) return undefined
    if (place >= 0) this.#recent.splice(place, 1)
    else if (this.#recent.length === mostRecent) this.#recent.pop()
    this.#recent.unshift({ usage, form })
    return form
  }

  #formByMark(usage: Usage): KeptForm | undefined {
    const mark = formMark(usage)
    const known = this.#forms.get(mark)
    if (known !== undefined) return known
    const form = formOf(usage)
    const text = JSON.stringify(form)
    const id = this.#idOf(text) ?? (this.#forms.has(mark) ? this.#keepForm(text) : undefined)
    if (this.#forms.size === mostForms) this.#forms.clear()
    const kept = id === undefined ? undefined : { id, keys: measuredKeys(form) }
    this.#forms.set(mark, kept)
    return kept
  }

  #idOf(text: string): number | undefined {
    const row = this.#connection.row('SELECT id FROM usage_form WHERE form = ?', text)
    return row === undefined ? undefined : number(row, 'id')
  }

  #keepForm(text: string): number {
    return this.#connection.run('INSERT INTO usage_form (form) VALUES (?)', text).lastId
  }

  /** A form that was written in a transaction that was undone is not there. */
  #forgetUndone(): void {
    if (this.#undone === this.#connection.timesUndone) return
    this.#undone = this.#connection.timesUndone
    this.#forget()
  }

  #forget(): void {
    this.#forms.clear()
    this.#recent.length = 0
  }
}
