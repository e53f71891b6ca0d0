import type { Connection } from '../../sqlite/connection.ts'
import { openPrivateDatabase, type FileSettings } from '../../sqlite/open-private.ts'
import { number, numberOrNull, text } from '../../sqlite/row.ts'
import { fiveMinutesMs, hourMs } from '../buckets.ts'
import { makeTables } from '../open-node.ts'
import type { LocalBatch, LocalStretch } from './local-batch.ts'
import { fivesOf, hoursOf } from './local-stretch.ts'
import { markAll, unsentSchema } from './unsent-schema.ts'

/** How much is sent at once: a day of five minutes, a week of hours. */
const most = { jobs: 1000, findings: 1000, fiveMs: 288 * fiveMinutesMs, hourMs: 168 * hourMs }

/** What is marked as unsent, and was looked at in this turn. */
interface Marks {
  readonly part: string
  readonly host: string
  readonly hostId: number
  readonly from: number
  readonly to: number
}

/** A batch, and what is forgotten once it has arrived. */
export interface Outgoing {
  readonly batch: LocalBatch
  readonly marks: readonly Marks[]
  readonly turn: number
}

const jobsSql = `
  SELECT job.*, host.name AS host, "user".name AS "user", account.name AS account, command.name AS command
  FROM unsent JOIN job ON job.id = unsent.place
  JOIN host ON host.id = job.host_id JOIN "user" ON "user".id = job.user_id
  JOIN account ON account.id = job.account_id JOIN command ON command.id = job.command_id
  WHERE unsent.part = 'job' AND unsent.host_id = ? AND unsent.place BETWEEN ? AND ? ORDER BY job.id`
const findingsSql = `
  SELECT violation.*, unsent.place AS marked, host.name AS host, "user".name AS "user", account.name AS account
  FROM unsent JOIN host ON host.id = unsent.host_id
  LEFT JOIN violation ON violation.id = unsent.place
  LEFT JOIN "user" ON "user".id = violation.user_id
  LEFT JOIN account ON account.id = violation.account_id
  WHERE unsent.part = 'finding' AND unsent.host_id = ? AND unsent.place BETWEEN ? AND ?
  ORDER BY unsent.place`

/** The database of an agent, open to be sent to a team. */
export class NodeSending {
  readonly path: string
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.path = connection.path
    this.#connection = connection
  }

  /** Its own name among all; from now on what changes is marked. `newId` is used where it has none yet. */
  begin(newId: () => string): string {
    return this.#connection.transaction(() => {
      const isMade = this.#connection.row(
        `SELECT 1 AS made FROM sqlite_schema WHERE type = 'table' AND name = 'sending'`,
      )
      if (isMade === undefined) this.#connection.script(unsentSchema(newId()))
      return text(this.#connection.row('SELECT database_id FROM sending') ?? {}, 'database_id')
    })
  }

  /**
   * Has all be marked that a team lacks. `enrolment`: by what the team knows this database, and no other team does. If another
   * was sent to last, this one lacks all that went there.
   */
  sendTo(enrolment: string): void {
    this.#connection.transaction(() => {
      this.#connection.script('CREATE TABLE IF NOT EXISTS sent_to (enrolment TEXT NOT NULL)')
      const last = this.#connection.row('SELECT enrolment FROM sent_to')
      if (last !== undefined && text(last, 'enrolment') === enrolment) return
      this.#connection.run('DELETE FROM sent_to')
      this.#connection.run('INSERT INTO sent_to VALUES (?)', enrolment)
      this.#connection.script(markAll)
    })
  }

  /** How many marks are left. */
  unsent(): number {
    return number(this.#connection.row('SELECT count(*) AS left FROM unsent') ?? {}, 'left')
  }

  /** What is to be sent next, the newest first, but for that of some hosts; undefined where all has been. */
  next(withheld: ReadonlySet<string> = new Set()): Outgoing | undefined {
    const turn = this.#nextTurn()
    const newest = (part: string, span: number) => this.#newest(part, span, withheld)
    const jobs = newest('job', most.jobs)
    const findings = newest('finding', most.findings)
    const fives = newest('five', most.fiveMs)
    const hours = newest('hour', most.hourMs)
    const policies = newest('policies', 0)
    const marks = [jobs, findings, fives, hours, policies].filter((one) => one !== undefined)
    if (marks.length === 0) return undefined
    const batch = {
      jobs: jobs === undefined ? [] : this.#rows(jobsSql, jobs),
      fives: this.#stretch(fives, fivesOf),
      hours: this.#stretch(hours, hoursOf),
      ...this.#findings(findings),
      policies: policies === undefined ? [] : [this.#policies(policies)],
    }
    return { batch, marks, turn }
  }

  /** It has arrived, but for what is of some hosts. What was changed since it was read stays marked. */
  arrived({ marks, turn }: Outgoing, refused: readonly string[] = []): void {
    this.#connection.transaction(() => {
      for (const { part, host, hostId, from, to } of marks) {
        if (refused.includes(host)) continue
        this.#connection.run(
          'DELETE FROM unsent WHERE part = ? AND host_id = ? AND place BETWEEN ? AND ? AND turn < ?',
          part,
          hostId,
          from,
          to,
          turn,
        )
      }
    })
  }

  close(): void {
    this.#connection.close()
  }

  /** What is changed from now on is marked with it. */
  #nextTurn(): number {
    this.#connection.run('UPDATE sending SET turn = turn + 1')
    return number(this.#connection.row('SELECT turn FROM sending') ?? {}, 'turn')
  }

  /** The newest of a kind, and those of the same host that lie at most so far before it. */
  #newest(part: string, span: number, withheld: ReadonlySet<string>): Marks | undefined {
    const sql = `
      SELECT name, id AS host_id, (SELECT max(place) FROM unsent WHERE part = ? AND unsent.host_id = host.id) AS last
      FROM host WHERE name NOT IN (SELECT value FROM json_each(?)) ORDER BY last DESC LIMIT 1`
    const row = this.#connection.row(sql, part, JSON.stringify([...withheld])) ?? { last: null }
    const to = numberOrNull(row, 'last')
    if (to === null) return undefined
    const hostId = number(row, 'host_id')
    const first = this.#connection.row(
      `SELECT min(place) AS first FROM unsent WHERE part = ? AND host_id = ? AND place > ?`,
      part,
      hostId,
      to - Math.max(1, span),
    )
    return { part, host: text(row, 'name'), hostId, from: number(first ?? {}, 'first'), to }
  }

  #stretch(
    marks: Marks | undefined,
    read: (
      connection: Connection,
      hostId: number,
      from: number,
      to: number,
    ) => LocalStretch['tables'],
  ): LocalStretch | undefined {
    if (marks === undefined) return undefined
    const { host, hostId, from, to } = marks
    const tables = read(this.#connection, hostId, from, to)
    return { host, fromMs: from, toMs: to, tables }
  }

  #findings(marks: Marks | undefined): Pick<LocalBatch, 'findings' | 'goneFindings'> {
    if (marks === undefined) return { findings: [], goneFindings: [] }
    const rows = this.#rows(findingsSql, marks)
    return {
      findings: rows.filter(({ id }) => id !== null),
      goneFindings: rows
        .filter(({ id }) => id === null)
        .map((row) => ({ host: text(row, 'host'), id: number(row, 'marked') })),
    }
  }

  #policies({ host, hostId }: Marks): LocalBatch['policies'][number] {
    const sql = 'SELECT * FROM policy_state WHERE host_id = ?'
    return { host, rows: this.#connection.rows(sql, hostId) }
  }

  #rows(sql: string, { hostId, from, to }: Marks) {
    return this.#connection.rows(sql, hostId, from, to)
  }
}

/** While the agent writes, who sends waits. */
const lockWait = { milliseconds: 10_000 }

export function openNodeSending(path: string, settings: FileSettings = {}): NodeSending {
  const opened = { lockWait, ...settings, kind: 'node database' } as const
  return openPrivateDatabase(path, opened, (connection) => {
    makeTables(connection)
    return new NodeSending(connection)
  })
}
