import { shownAddress } from '../../ledger/team-address.ts'
import { SoundRows } from '../../sound-rows.ts'
import type { Row } from '../../sqlite/row.ts'
import { Database, schema, type Bound } from '../connection.ts'
import { refuseOtherVersion } from '../refuse-other-version.ts'
import { readError } from './read-error.ts'

/** Nobody waits longer for an answer, unless it is said how long. */
const usualSeconds = 300

/** A team ledger that is only asked: speaks StoreError only. */
export class Questions {
  readonly path: string
  readonly #address: string
  readonly #database: Database
  readonly #onProblem: (problem: string) => void

  constructor(address: string, onProblem: (problem: string) => void, answerSeconds = usualSeconds) {
    this.#address = address
    this.path = shownAddress(address)
    this.#onProblem = onProblem
    this.#database = new Database({
      connectionString: address,
      // Questions are many and short: translating them into machine code would take longer than most answers.
      options: `-c search_path=${schema} -c default_transaction_read_only=on -c jit=off`,
      statement_timeout: answerSeconds * 1000,
      keepAlive: true,
    })
  }

  /** Refuses a database that is not a team ledger of this build. */
  refuseOthers(): Promise<void> {
    return this.made(() => refuseOtherVersion(this.#database, this.#address))
  }

  rows(sql: string, values: readonly Bound[] = []): Promise<Row[]> {
    return this.made(() => this.#database.rows(sql, values))
  }

  async map<T>(sql: string, values: readonly Bound[], make: (row: Row) => T): Promise<T[]> {
    const rows = await this.rows(sql, values)
    return this.made(async () => rows.map(make))
  }

  /** The same, but a row that cannot be read is passed over, and told. */
  async mapSound<T>(sql: string, values: readonly Bound[], make: (row: Row) => T): Promise<T[]> {
    return this.sound(await this.rows(sql, values), make)
  }

  /** The same of rows that are there already. */
  async sound<T>(rows: readonly Row[], make: (row: Row) => T): Promise<T[]> {
    const sound = new SoundRows(make)
    await this.made(async () => rows.forEach((row) => sound.take(row)))
    const problem = sound.problem(this.path)
    if (problem !== undefined) this.#onProblem(problem)
    return sound.made
  }

  close(): Promise<void> {
    return this.made(() => this.#database.close())
  }

  /** What is made of answers; whatever goes wrong is a StoreError. */
  async made<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw readError(error, this.#address)
    }
  }
}
