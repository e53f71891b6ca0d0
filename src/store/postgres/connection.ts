import type { Socket } from 'node:net'
import { Client, Pool, types, type ClientConfig, type PoolClient, type PoolConfig } from 'pg'
import type { Row } from '../sqlite/row.ts'
import { passwordInFile } from './password-file.ts'
import { storedText, textToStore } from './stored-text.ts'

/** All that jobmeter keeps in a database is in this schema. */
export const schema = 'jobmeter'

/** What a statement can be given. */
export type Bound = string | number | bigint | boolean | Buffer | null | readonly unknown[]

/** Whoever runs statements: any connection of a pool, or the one that holds a transaction. */
export interface Statements {
  /** `?` stands for a value, as in SQLite, so that both engines can be asked in the same words. */
  rows(sql: string, values?: readonly Bound[]): Promise<Row[]>
  run(sql: string, values?: readonly Bound[]): Promise<number>
}

const listenAgainMilliseconds = 1_000

// Numbers of rows and bytes: all of them fit a double, as they do where they come from.
const bigintType = 20
types.setTypeParser(bigintType, Number)

const usualLimitMilliseconds = 600_000

/** One that asks us where neither its address nor the environment gives a password. */
class AskingClient extends Client {
  constructor(config?: ClientConfig) {
    super(config)
    // The driver calls it once the server asks. In the configuration it would give way to the empty one of the address.
    if (!this.password) Object.assign(this, { password: passwordInFile })
  }
}

/** Connections to a team's database. */
export class Database implements Statements {
  readonly #pool: Pool
  readonly #config: PoolConfig
  readonly #limitMilliseconds: number
  readonly #listeners = new Set<() => void>()

  constructor(config: PoolConfig) {
    this.#limitMilliseconds = config.query_timeout ?? usualLimitMilliseconds
    this.#config = {
      application_name: 'jobmeter',
      options: `-c search_path=${schema}`,
      connectionTimeoutMillis: 10_000,
      ...config,
    }
    this.#pool = new Pool({ ...this.#config, Client: AskingClient })
    // A connection that breaks while nobody uses it is replaced; whoever uses one is told by his statement.
    this.#pool.on('error', () => {})
  }

  rows(sql: string, values: readonly Bound[] = []): Promise<Row[]> {
    return on(this.#pool).rows(sql, values)
  }

  run(sql: string, values: readonly Bound[] = []): Promise<number> {
    return on(this.#pool).run(sql, values)
  }

  /** A statement as PostgreSQL writes it, with `$1`; several at once where there are no values. */
  ask(sql: string, values?: unknown[]): Promise<{ rows: Row[] }> {
    return this.#pool.query<Row>(sql, values)
  }

  /**
   * All that `work` does is there whole or not at all. If it takes longer than the limit of a statement, the connection is
   * cut: a server, or the network before it, may never answer.
   */
  async transaction<T>(
    work: (client: PoolClient, statements: Statements) => Promise<T>,
  ): Promise<T> {
    const client = await this.#pool.connect()
    let broken = false
    const onError = (): void => {
      broken = true
    }
    client.on('error', onError)
    const limit = setTimeout(() => {
      broken = true
      cut(client)
    }, this.#limitMilliseconds)
    try {
      await client.query('BEGIN')
      const answer = await work(client, on(client))
      await client.query('COMMIT')
      return answer
    } catch (error) {
      if (!broken) await client.query('ROLLBACK').catch(onError)
      throw error
    } finally {
      clearTimeout(limit)
      client.off('error', onError)
      client.release(broken)
    }
  }

  /**
   * Hears what others notify, on a connection of its own; the answer ends that. Where the connection breaks, nothing is heard
   * until there is another one, and then once for all that may have been missed: who must know looks now and then as well,
   and more often from `lost` until the next time that something is heard.
   */
  listen(channel: string, heard: () => void, lost: () => void = () => {}): () => void {
    let client: Client | undefined
    let timer: NodeJS.Timeout | undefined
    let isOver = false
    const again = (): void => {
      if (isOver || timer !== undefined) return
      lost()
      timer = setTimeout(() => {
        timer = undefined
        connect()
      }, listenAgainMilliseconds).unref()
    }
    const connect = (): void => {
      const made = new AskingClient({ ...this.#config, keepAlive: true })
      client = made
      made.on('error', again)
      made.on('end', again)
      made.on('notification', heard)
      made
        .connect()
        .then(() => made.query(`LISTEN ${channel}`))
        .then(heard, again)
    }
    const end = (): void => {
      isOver = true
      clearTimeout(timer)
      this.#listeners.delete(end)
      client?.end().catch(() => {})
    }
    this.#listeners.add(end)
    connect()
    return end
  }

  close(): Promise<void> {
    for (const end of this.#listeners) end()
    return this.#pool.end()
  }
}

/** Whoever waits for an answer hears that there is none. */
function cut(client: PoolClient): void {
  const { stream } = (client as PoolClient & { connection: { stream: Socket } }).connection
  stream.destroy(new Error('no answer for too long'))
}

function on(connection: Pick<PoolClient, 'query'>): Statements {
  const ask = (sql: string, values: readonly Bound[]) =>
    connection.query<Row>({
      text: numbered(sql),
      values: values.map(toStore),
      types: measuredTypes(),
    })
  return {
    rows: async (sql, values = []) => (await ask(sql, values)).rows.map(asItWas),
    run: async (sql, values = []) => (await ask(sql, values)).rowCount ?? 0,
  }
}

/** Of all texts and bytes of an answer together: others may have written more rows than can be held at once. */
const mostAnswerBytes = 2 ** 29

class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge'
  /** As PostgreSQL itself says that a limit was exceeded. */
  readonly code = '54000'
}

/** Reads values as usual, and refuses an answer with too many of them: its rows are then no longer kept. */
function measuredTypes(): typeof types {
  let bytes = 0
  const measured = (value: string, parse: (value: string) => unknown): unknown => {
    bytes += value.length
    if (bytes > mostAnswerBytes)
      throw new AnswerTooLarge('there is more than 512 MiB to be read: ask for fewer rows')
    return parse(value)
  }
  const getTypeParser = (oid: number, format?: 'text' | 'binary') => {
    const parse = types.getTypeParser(oid, format) as (value: string) => unknown
    return ofAnyLength.has(oid) ? (value: string) => measured(value, parse) : parse
  }
  return { getTypeParser } as typeof types
}

const { BYTEA, TEXT, JSON: JSON_TEXT, JSONB } = types.builtins
const ofAnyLength: ReadonlySet<number> = new Set([BYTEA, TEXT, JSON_TEXT, JSONB])

const toStore = (value: unknown): unknown => {
  if (typeof value === 'string') return textToStore(value)
  return Array.isArray(value) ? value.map(toStore) : value
}

function asItWas(row: Record<string, Row[string]>): Row {
  for (const column in row) {
    const value = row[column]
    if (typeof value === 'string') row[column] = storedText(value)
  }
  return row
}

/** `?` outside of quotes becomes `$1`, `$2` and so on. */
function numbered(sql: string): string {
  let count = 0
  return sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g, (found) =>
    found === '?' ? `$${(count += 1)}` : found,
  )
}
