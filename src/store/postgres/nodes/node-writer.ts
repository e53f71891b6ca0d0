import type { PoolClient } from 'pg'
import type { LocalBatch, LocalRow, LocalStretch } from '../../node/sending/local-batch.ts'
import type { Database, Statements } from '../connection.ts'
import type { Value, Values } from '../write/batch.ts'
import { copyIncoming, listed } from '../write/incoming.ts'
import { nodeTables, type NodeTableName } from './node-shapes.ts'
import { TeamNames } from './team-names.ts'

/** The database of an agent that sends. */
export interface NodeSource {
  readonly databaseId: string
  readonly host: string
  readonly path: string
  /** Of the jobmeter that sends. */
  readonly version: string
}

/** The numbers of jobs and devices have the number of their source above these bits. */
const localBits = 32n

/** Sends what agents keep to a team. A batch is there whole or not at all, and sending it again changes nothing. */
export class NodeWriter {
  readonly #database: Database
  readonly #sourceId: bigint
  readonly #names = new TeamNames()

  constructor(database: Database, sourceId: number) {
    this.#database = database
    this.#sourceId = BigInt(sourceId)
  }

  /** Answers the hosts that belong to somebody else: nothing of them was taken. `unsent`: how much is still to come. */
  async send(batch: LocalBatch, unsent: number): Promise<readonly string[]> {
    try {
      return await this.#database.transaction((client, statements) =>
        this.#merge(client, statements, batch, unsent),
      )
    } catch (error) {
      this.#names.forget()
      throw error
    }
  }

  /** What stays where it is, for people to be told of: hosts that are somebody else's, and how much waits in all. */
  async noteRefused(hosts: readonly string[], unsent: number): Promise<void> {
    await this.#database.run('UPDATE node_source SET refused_hosts = ?, unsent = ? WHERE id = ?', [
      hosts.slice(0, mostNoted).map(shortened),
      unsent,
      this.#sourceId,
    ])
  }

  async #merge(
    client: PoolClient,
    statements: Statements,
    batch: LocalBatch,
    unsent: number,
  ): Promise<readonly string[]> {
    const refused = await this.#learn(statements, batch)
    const of = (host: string | undefined): number | undefined =>
      host === undefined ? undefined : this.#names.idOf('hosts', host)
    const put = (name: NodeTableName, rows: readonly LocalRow[], hostId?: number) =>
      this.#put(client, statements, name, rows, hostId)
    await put('job', batch.jobs)
    await put('violation', batch.findings)
    for (const { host, id } of batch.goneFindings)
      await statements.run('DELETE FROM node_violation WHERE id = ? AND host_id = ?', [
        this.#numbered(id),
        of(host) ?? null,
      ])
    for (const { host, rows } of batch.policies) {
      const hostId = of(host)
      if (hostId === undefined) continue
      await statements.run('DELETE FROM node_policy_state WHERE host_id = ?', [hostId])
      await put('policy_state', rows, hostId)
    }
    for (const stretch of [batch.fives, batch.hours]) {
      const hostId = of(stretch?.host)
      if (stretch !== undefined && hostId !== undefined)
        await this.#putStretch(client, statements, stretch, hostId)
    }
    await statements.run(
      'UPDATE node_source SET heard_at = extract(epoch FROM now()), unsent = ? WHERE id = ?',
      [unsent, this.#sourceId],
    )
    return refused
  }

  /** Numbers for all names in it; answers the hosts that have none. */
  async #learn(statements: Statements, batch: LocalBatch): Promise<readonly string[]> {
    const usage = batch.hours?.tables['usage_hour'] ?? []
    const used = [...batch.jobs, ...usage]
    const names = (column: string): string[] =>
      [...used, ...batch.findings].map((row) => nameIn(row, column))
    const hosts = new Set([
      ...[...batch.jobs, ...batch.findings].map((row) => nameIn(row, 'host')),
      ...batch.goneFindings.map(({ host }) => host),
      ...batch.policies.map(({ host }) => host),
      ...[batch.fives, batch.hours].flatMap((one) => one?.host ?? []),
    ])
    await this.#names.learn(statements, 'hosts', hosts)
    await this.#names.learn(statements, 'users', names('user'))
    await this.#names.learn(statements, 'accounts', names('account'))
    await this.#names.learn(
      statements,
      'commands',
      used.map((row) => nameIn(row, 'command')),
    )
    return [...hosts].filter((host) => this.#names.idOf('hosts', host) === undefined)
  }

  async #putStretch(
    client: PoolClient,
    statements: Statements,
    { fromMs, toMs, tables }: LocalStretch,
    hostId: number,
  ): Promise<void> {
    await statements.rows('SELECT make_node_parts(?, ?)', [Math.max(0, fromMs), toMs + hourMs])
    if ('usage_hour' in tables)
      await statements.run(
        'DELETE FROM node_usage_hour WHERE host_id = ? AND at_ms >= ? AND at_ms <= ?',
        [hostId, fromMs, toMs],
      )
    for (const [name, rows] of Object.entries(tables))
      await this.#put(client, statements, name as NodeTableName, rows, hostId)
    if ('round' in tables) await statements.run(noteLatest, [hostId, hostId, hostId])
  }

  /** `hostId`: of all of them, where they do not say it themselves. */
  async #put(
    client: PoolClient,
    statements: Statements,
    name: NodeTableName,
    rows: readonly LocalRow[],
    hostId?: number,
  ): Promise<void> {
    const table = nodeTables[name]
    const found = rows
      .map((row) => this.#teamRow(name, row, hostId))
      .filter((row) => row !== undefined)
    if (found.length === 0) return
    const incoming = { name: `incoming_${table.name}`, shape: table.shape }
    await copyIncoming(client, statements, incoming, found)
    const kind = keptAs[name]
    if (kind !== undefined)
      await statements.run(
        `DELETE FROM ${incoming.name} WHERE at_ms < (SELECT node_kept_since('${kind}'))`,
      )
    if ('command_id' in table.shape)
      await statements.run(`INSERT INTO node_words
        SELECT DISTINCT user_id, account_id, command_id FROM ${incoming.name} ON CONFLICT DO NOTHING`)
    const columns = listed(table.shape)
    const changes = Object.keys(table.shape).filter((column) => !isKey(table.keys, column))
    await statements.run(`
      INSERT INTO ${table.name} (${columns}) SELECT ${columns} FROM ${incoming.name}
      ON CONFLICT (${table.keys.join(', ')}) DO UPDATE SET
        ${changes.map((column) => `"${column}" = excluded."${column}"`).join(', ')}`)
  }

  /** With the team's numbers; undefined where the host is somebody else's. */
  #teamRow(name: NodeTableName, row: LocalRow, ofAll: number | undefined): Values | undefined {
    const hostId = ofAll ?? this.#names.idOf('hosts', nameIn(row, 'host'))
    if (hostId === undefined) return undefined
    const { shape } = nodeTables[name]
    const values: Record<string, Value> = {}
    for (const column of Object.keys(shape)) values[column] = storable(row[column] ?? null)
    // A list of all cores, which is of no use in parts.
    if ('core_us' in shape) values['core_us'] = row['core_us'] ?? null
    values['host_id'] = hostId
    for (const column of ['id', 'job_id', 'device_id'])
      if (column in shape) values[column] = this.#numbered(row[column] ?? null)
    for (const [column, of] of dictionaries)
      if (`${column}_id` in shape)
        values[`${column}_id`] = this.#names.idOf(of, nameIn(row, column)) ?? null
    return values
  }

  #numbered(local: Value): bigint | null {
    if (typeof local !== 'bigint' && typeof local !== 'number') return null
    return (this.#sourceId << localBits) + BigInt(local)
  }
}

const hourMs = 3_600_000

const mostNoted = 100

const isKey = (keys: readonly string[], column: string): boolean => keys.includes(column)

const dictionaries = [
  ['user', 'users'],
  ['account', 'accounts'],
  ['command', 'commands'],
] as const

/** What the team would drop at once is not kept. */
const keptAs: Partial<Record<NodeTableName, 'rounds' | 'five minutes' | 'hours'>> = {
  round: 'rounds',
  job_raw: 'rounds',
  job_5m: 'five minutes',
  node_5m: 'five minutes',
  device_5m: 'five minutes',
  job_hour: 'hours',
  node_hour: 'hours',
  usage_hour: 'hours',
  device_hour: 'hours',
}

/** As a file tells it (`store/node/dialect.ts`). */
const noteLatest = `
  UPDATE node_host SET latest_ms = greatest(
    (SELECT max(at_ms) FROM node_round WHERE host_id = ? AND number IS NULL),
    (SELECT at_ms FROM node_round WHERE host_id = ? AND number IS NOT NULL ORDER BY number DESC LIMIT 1))
  WHERE id = ?`

const nameIn = (row: LocalRow, column: string): string => {
  const name = row[column]
  return typeof name === 'string' ? shortened(name) : ''
}

/** PostgreSQL has no NUL in its texts, and a team takes no text of more than 16 KiB (`steps/bounds-1.ts`). */
const shortened = (text: string): string => text.replaceAll('\0', '�').slice(0, 4_000)

/** Sums that no longer fit a whole number are stored as real ones. */
function storable(value: Value): Value {
  if (typeof value === 'string') return shortened(value)
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  return Number.isInteger(value) ? BigInt(value) : value
}

/** What the database of an agent is to a team. */
export interface NodeEnrolment {
  readonly sourceId: number
  /** The same for as long as the team knows it, and not so in any other. */
  readonly name: string
}

/** Finds the source, or makes it; undefined where it belongs to another role. */
export async function enrolNode(
  database: Database,
  { databaseId, host, path, version }: NodeSource,
): Promise<NodeEnrolment | undefined> {
  await database.run(
    `INSERT INTO node_source (database_id, host, path, version) VALUES (?, ?, ?, ?)
     ON CONFLICT (database_id) DO NOTHING`,
    [databaseId, host, path, version],
  )
  const [row] = await database.rows('SELECT id, joined_at FROM node_source WHERE database_id = ?', [
    databaseId,
  ])
  return row === undefined
    ? undefined
    : {
        sourceId: Number(row['id']),
        name: `${Number(row['id'])} since ${Number(row['joined_at'])}`,
      }
}
