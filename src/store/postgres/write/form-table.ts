import type { Statements } from '../connection.ts'
import type { AttemptRows } from './batch.ts'

/** So many forms are kept in mind. */
const mostForms = 1000

/** The numbers that the team has for forms of usages. A form is never taken away, so what is known stays true. */
export class FormTable {
  readonly #ids = new Map<string, number>()

  /** The same attempts, with the numbers of their forms in `form_id`; forms that are new are kept. */
  async named(
    statements: Statements,
    attempts: readonly AttemptRows[],
  ): Promise<readonly AttemptRows[]> {
    const wanted = new Set(attempts.flatMap(({ form }) => (form === undefined ? [] : [form])))
    const missing = [...wanted].filter((form) => !this.#ids.has(form))
    if (this.#ids.size + missing.length > mostForms) this.#ids.clear()
    if (missing.length > 0) await this.#learn(statements, [...wanted])
    return attempts.map((rows) => {
      const { attempt, form } = rows
      if (attempt === undefined || form === undefined) return rows
      return { ...rows, attempt: { ...attempt, form_id: this.#ids.get(form) ?? null } }
    })
  }

  async #learn(statements: Statements, forms: readonly string[]): Promise<void> {
    const rows = await statements.rows('SELECT form, id FROM keep_forms(?)', [[...forms]])
    for (const row of rows) this.#ids.set(String(row['form']), Number(row['id']))
  }
}
