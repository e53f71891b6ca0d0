import type { Connection } from '../../sqlite/connection.ts'
import { addToUsage, addToUsers } from '../add-round.ts'
import { amountColumns } from '../node-schema.ts'
import { addFigures } from './sums.ts'

export type UsageKey = readonly [
  atMs: number,
  hostId: number,
  userId: number,
  accountId: number,
  commandId: number,
]
type Figures = (number | null)[]

const none = amountColumns.map((name) => `coalesce(${name}, 0) = 0`).join(' AND ')

/** Gathers what is to be added to the hourly tables by user, account and command. */
export class UsageRows {
  readonly #connection: Connection
  readonly #all = new Map<string, { readonly key: UsageKey; readonly amounts: Figures }>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  add(key: UsageKey, amounts: readonly (number | null)[]): void {
    const name = key.join(' ')
    const row = this.#all.get(name)
    if (row === undefined) this.#all.set(name, { key, amounts: [...amounts] })
    else addFigures(row.amounts, amounts)
  }

  /** What was counted by mistake, or under another name, is taken back exactly. */
  subtract(key: UsageKey, amounts: readonly (number | null)[]): void {
    this.add(
      key,
      amounts.map((amount) => (amount === null ? null : -amount)),
    )
  }

  write(): void {
    const [ofAll, ofUsers] = [addToUsage, addToUsers].map((sql) => this.#connection.prepare(sql))
    const users = new Map<string, { readonly key: readonly number[]; readonly amounts: Figures }>()
    for (const { key, amounts } of this.#all.values()) {
      ofAll?.run(...key, ...amounts)
      const [atMs, , userId, accountId] = key
      const name = `${atMs} ${userId} ${accountId}`
      const row = users.get(name)
      if (row === undefined)
        users.set(name, { key: [atMs, userId, accountId], amounts: [...amounts] })
      else addFigures(row.amounts, amounts)
    }
    for (const { key, amounts } of users.values()) ofUsers?.run(...key, ...amounts)
    this.#all.clear()
  }

  /** Takes away rows in which nothing is left. */
  forgetEmpty(atMs: number): void {
    for (const table of ['usage_hour', 'usage_user_hour'])
      this.#connection.run(`DELETE FROM ${table} WHERE at_ms = ? AND ${none}`, atMs)
  }
}
