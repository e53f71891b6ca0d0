import type { Connection } from '../sqlite/connection.ts'
import { number } from '../sqlite/row.ts'

export const dictionaries = ['host', 'user', 'account', 'command'] as const
export type Dictionary = (typeof dictionaries)[number]

/**
 * Numbers for names, remembered. To be used inside transactions that do not fail: what is undone is forgotten. Names that
 * nothing has any more are deleted, by us or by others: who remembers them for longer says when a transaction begins.
 */
export class Names {
  readonly #connection: Connection
  readonly #known = new Map<string, number>()
  #timesUndone = 0
  #dataVersion = 0

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Some may have been deleted. */
  forget(): void {
    this.#known.clear()
  }

  /** Inside a transaction that begins: forgets what another connection may have changed. */
  refresh(): void {
    const row = this.#connection.row('PRAGMA data_version') ?? {}
    const version = number(row, 'data_version')
    if (version !== this.#dataVersion) this.forget()
    this.#dataVersion = version
  }

  idOf(dictionary: Dictionary, name: string): number {
    if (this.#timesUndone !== this.#connection.timesUndone) this.forget()
    this.#timesUndone = this.#connection.timesUndone
    const key = `${dictionary}\0${name}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    this.#connection.run(`INSERT OR IGNORE INTO ${dictionary} (name) VALUES (?)`, name)
    const row = this.#connection.row(`SELECT id FROM ${dictionary} WHERE name = ?`, name) ?? {}
    const id = number(row, 'id')
    this.#known.set(key, id)
    return id
  }
}
