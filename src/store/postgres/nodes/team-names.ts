import type { Statements } from '../connection.ts'

/** Numbers that a team gave to names, remembered. */
export class TeamNames {
  readonly #known = new Map<string, number>()

  /** Asks for those of these names that are not known yet. */
  async learn(
    statements: Statements,
    of: 'hosts' | 'users' | 'accounts' | 'commands',
    names: Iterable<string>,
  ): Promise<void> {
    const unknown = [...new Set(names)].filter((name) => !this.#known.has(`${of} ${name}`))
    if (unknown.length === 0) return
    const rows = await statements.rows(`SELECT name, id FROM node_${of}(?)`, [unknown])
    for (const row of rows) this.#known.set(`${of} ${String(row['name'])}`, Number(row['id']))
  }

  /** Undefined of a host that is somebody else's. */
  idOf(of: 'hosts' | 'users' | 'accounts' | 'commands', name: string): number | undefined {
    return this.#known.get(`${of} ${name}`)
  }

  /** What was learnt in a transaction that was undone may not be so. */
  forget(): void {
    this.#known.clear()
  }
}
