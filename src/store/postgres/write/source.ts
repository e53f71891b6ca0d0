import type { Row } from '../../sqlite/row.ts'
import type { Database, Statements } from '../connection.ts'
import type { SentUpTo } from './batch.ts'

/** A local ledger that sends. */
export interface SourcePlace {
  readonly host: string
  readonly path: string
  readonly user: string
  /** Of the jobmeter that sends. */
  readonly version: string
}

/** How a source stands in the team ledger. */
export interface SourceState {
  readonly sourceId: number
  /** Grows with every batch. */
  readonly revision: number
  readonly sent: SentUpTo
}

const columns = 'id, revision, sent_attempt_id, sent_task_id'

const enrolments = 0x6a6e

const find = `SELECT ledger_id, ${columns} FROM source`

export interface Enrolment {
  /** The name that the team knows the ledger by, where somebody noted it. */
  readonly ledgerId: string | undefined
  /** Whether the ledger is the one that was sent so far. */
  isSame(state: SourceState): boolean
  newLedgerId(): string
}

export interface Enrolled {
  readonly ledgerId: string
  readonly state: SourceState
}

/**
 * Finds the source that a ledger is, by its name or else by where it is, or makes it. Those who come at once take turns:
 * they are one source. Undefined where the name belongs to another role.
 */
export async function enrol(
  database: Database,
  place: SourcePlace,
  { ledgerId, isSame, newLedgerId }: Enrolment,
): Promise<Enrolled | undefined> {
  const { host, path, user, version } = place
  return database.transaction(async (_, statements) => {
    const lock = `SELECT pg_advisory_xact_lock(${enrolments}, hashtext(?))`
    await statements.rows(lock, [JSON.stringify([host, path, user])])
    const named =
      ledgerId === undefined
        ? []
        : await found(statements, `${find} WHERE ledger_id = ? AND role = current_user`, [ledgerId])
    const there = await found(
      statements,
      `${find} WHERE host = ? AND path = ? AND "user" = ? AND role = current_user ORDER BY id DESC LIMIT 1`,
      [host, path, user],
    )
    const known = [...named, ...there].find(({ state }) => isSame(state))
    if (known !== undefined) return known
    const isNew = named.length > 0 || ledgerId === undefined
    const made = isNew ? newLedgerId() : ledgerId
    return (
      await found(
        statements,
        `INSERT INTO source (ledger_id, host, path, "user", version) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (ledger_id) DO NOTHING RETURNING ledger_id, ${columns}`,
        [made, host, path, user, version],
      )
    )[0]
  })
}

async function found(
  statements: Statements,
  sql: string,
  values: readonly string[],
): Promise<Enrolled[]> {
  const rows = await statements.rows(sql, values)
  return rows.map((row) => ({ ledgerId: String(row['ledger_id']), state: stateIn(row) }))
}

/** How it stands, and nobody else changes it until the transaction ends. */
export async function lockSource(
  statements: Statements,
  sourceId: number,
): Promise<SourceState | undefined> {
  const sql = `SELECT ${columns} FROM source WHERE id = ? FOR UPDATE`
  const [row] = await statements.rows(sql, [sourceId])
  return row === undefined ? undefined : stateIn(row)
}

function stateIn(row: Row): SourceState {
  const task = row['sent_task_id']
  return {
    sourceId: Number(row['id']),
    revision: Number(row['revision']),
    sent: {
      attemptId: Number(row['sent_attempt_id']),
      taskId: typeof task === 'string' ? task : null,
    },
  }
}

const advance = `
  UPDATE source SET revision = revision + 1, heard_at = extract(epoch FROM now()), version = ?,
    host = ?, path = ?, sent_attempt_id = ?, sent_task_id = ?,
    attempt_count = attempt_count + ?, sample_count = sample_count + ?
  WHERE id = ?`

export interface Progress {
  readonly sent: SentUpTo
  readonly attempts: number
  readonly samples: number
}

export async function advanceSource(
  statements: Statements,
  sourceId: number,
  { version, host, path }: SourcePlace,
  { sent, attempts, samples }: Progress,
): Promise<void> {
  await statements.run(advance, [
    version,
    host,
    path,
    sent.attemptId,
    sent.taskId,
    attempts,
    samples,
    sourceId,
  ])
}
