import type { Database } from '../../src/store/postgres/connection.ts'
import type { TeamBatch } from '../../src/store/postgres/write/batch.ts'
import { copyRows } from '../../src/store/postgres/write/copy-rows.ts'
import { attemptShape, chunkShape } from '../../src/store/postgres/write/shapes.ts'

/** The rows of batches as COPY alone stores them, into tables like those of the team ledger, and nothing else. */
export class PlainCopy {
  readonly #database: Database
  readonly #kind: 'indexed' | 'bare'

  constructor(database: Database, kind: 'indexed' | 'bare') {
    this.#database = database
    this.#kind = kind
  }

  async make(): Promise<void> {
    const like = this.#kind === 'indexed' ? 'INCLUDING ALL' : 'INCLUDING STORAGE'
    for (const table of ['attempt', 'sample_chunk']) {
      await this.#database.run(`CREATE TABLE ${this.#name(table)} (LIKE jobmeter.${table} ${like})`)
    }
    // Months have it; the table that they are parts of has not.
    if (this.#kind === 'indexed')
      await this.#database.rows("SELECT make_words_index('indexed_attempt')")
    for (const column of ['id', 'source_id', 'job_id'])
      await this.#database.run(
        `ALTER TABLE ${this.#name('attempt')} ALTER COLUMN ${column} SET DEFAULT 1`,
      )
  }

  /** A transaction, as the team ledger has one for a batch. */
  async copy(batch: TeamBatch): Promise<void> {
    const attempts = batch.attempts.map(({ attempt = {} }) =>
      Object.keys(attemptShape).map((name) => attempt[name] ?? null),
    )
    const chunks = batch.attempts.flatMap(({ taskId, chunks: own }) =>
      own.map((chunk) => [
        taskId,
        chunk.user,
        chunk.part,
        1,
        chunk.startedAt,
        chunk.fromSeconds,
        chunk.toSeconds,
        chunk.firstRow,
        chunk.rowCount,
        chunk.packed,
      ]),
    )
    await this.#database.transaction(async (client) => {
      await copyRows(client, this.#name('attempt'), attemptShape, attempts)
      await copyRows(client, this.#name('sample_chunk'), chunkShape, chunks)
    })
  }

  #name(table: string): string {
    return `jobmeter.${this.#kind}_${table}`
  }
}
