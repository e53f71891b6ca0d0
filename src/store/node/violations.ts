import {
  wayToKeep,
  type EndedViolation,
  type PolicyFinding,
  type PolicySubject,
  type Violation,
} from '../../model/violation.ts'
import type { Connection } from '../sqlite/connection.ts'
import { number, textOrNull } from '../sqlite/row.ts'
import type { Names } from './names.ts'
import { answerAtOnce } from './asking.ts'
import { readViolations } from './violation-query.ts'

/** What a round told about one host. */
export interface KeptJudgement {
  readonly host: string
  /** In seconds since 1970. */
  readonly at: number
  readonly findings: readonly PolicyFinding[]
  readonly ended: readonly EndedViolation[]
}

const findLast = `
  SELECT id, spared, last_ms FROM violation
  WHERE host_id = ? AND policy = ? AND subject = ? ORDER BY id DESC LIMIT 1`
const insert = `
  INSERT INTO violation (policy, severity, host_id, user_id, account_id, subject, epoch, kind, key, command,
    first_ms, last_ms, held_ms, text, spared)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const goOn = `
  UPDATE violation SET first_ms = min(first_ms, ?), last_ms = ?, held_ms = max(held_ms, ?), text = ?,
    spared = ?, resolved_ms = NULL, resolved_because = NULL WHERE id = ?`
/** What was suppressed until now did no harm before. */
const harmFromNowOn = `
  UPDATE violation SET first_ms = ?, last_ms = ?, held_ms = ?, text = ?, spared = ? WHERE id = ?`
const end = `
  UPDATE violation SET resolved_ms = ?, resolved_because = ?
  WHERE host_id = ? AND policy = ? AND subject = ? AND resolved_ms IS NULL AND spared IS NULL`

/** One that reaches into the time that was judged again, and is found there again; nobody is told of it. */
const goOnInPast = `
  UPDATE violation SET first_ms = min(first_ms, ?1), last_ms = max(last_ms, ?2), held_ms = max(held_ms, ?3),
    text = CASE WHEN ?2 >= last_ms THEN ?4 ELSE text END,
    resolved_ms = CASE WHEN ?2 >= last_ms THEN ?5 ELSE resolved_ms END,
    resolved_because = CASE WHEN ?2 >= last_ms THEN ?6 ELSE resolved_because END
  WHERE host_id = ?7 AND policy = ?8 AND subject = ?9 AND (spared IS NULL) = ?10
    AND first_ms <= ?2 AND last_ms >= ?1`

/** What policies found: since when, until when, and whether anybody was told. */
export class ViolationBook {
  readonly #connection: Connection
  readonly #names: Names

  constructor(connection: Connection, names: Names) {
    this.#connection = connection
    this.#names = names
  }

  /** All that a round told, whole or not at all. */
  keep({ host, at, findings, ended }: KeptJudgement): void {
    if (findings.length + ended.length === 0) return
    this.#connection.transaction(() => {
      const hostId = this.#names.idOf('host', host)
      for (const finding of findings) this.#keepOne(hostId, finding)
      for (const { policy, subject, because } of ended)
        this.#connection.run(end, ms(at), because, hostId, policy, keyOf(subject))
    })
  }

  /** Which policies a host is judged by: null, or why one of them cannot judge it, by its name. */
  keepState(
    host: string,
    at: number,
    states: ReadonlyMap<string, string | null>,
    by: 'agent' | 'past' = 'agent',
  ): void {
    this.#connection.transaction(() => {
      const hostId = this.#names.idOf('host', host)
      this.#connection.run('DELETE FROM policy_state WHERE host_id = ?', hostId)
      const add = this.#connection.prepare('INSERT INTO policy_state VALUES (?, ?, ?, ?, ?)')
      for (const [policy, why] of states) add.run(hostId, policy, ms(at), why, by)
    })
  }

  /**
   * All that was found between two moments on a host that no agent judges, in place of what was there. What was found
   * before or after stays. Nobody is told of it.
   */
  replace(
    host: string,
    { from, to }: { readonly from: number; readonly to: number },
    violations: readonly Violation[],
    states: ReadonlyMap<string, string | null>,
  ): void {
    this.#connection.transaction(() => {
      const hostId = this.#names.idOf('host', host)
      this.#connection.run(
        'DELETE FROM violation WHERE host_id = ? AND first_ms >= ? AND last_ms <= ?',
        hostId,
        ms(from),
        ms(to),
      )
      for (const one of violations) this.#addPast(hostId, one, to)
      this.keepState(host, to, states, 'past')
    })
  }

  #addPast(hostId: number, one: Violation, at: number): void {
    const { policy, subject, text, suppressedBecause, resolvedBecause } = one
    const times = [one.firstSeen, one.lastSeen, one.heldSeconds].map(ms)
    const resolvedMs = one.resolvedAt === null ? null : ms(one.resolvedAt)
    const outcome = [text, resolvedMs, resolvedBecause]
    const which = [hostId, policy, keyOf(subject), suppressedBecause === null ? 1 : 0]
    if (this.#connection.run(goOnInPast, ...times, ...outcome, ...which).changes > 0) return
    const columns = this.#columns(hostId, one)
    const { lastId } = this.#connection.run(insert, ...columns, ...times, text, suppressedBecause)
    this.#connection.run(
      `UPDATE violation SET reported_ms = ?1, resolution_told_ms = ?1, resolved_ms = ?2,
         resolved_because = ?3 WHERE id = ?4`,
      suppressedBecause === null ? ms(at) : null,
      resolvedMs,
      resolvedBecause,
      lastId,
    )
  }

  /** Violations of a host that are not over. */
  open(host: string): Violation[] {
    const isOpen = 'violation.spared IS NULL AND violation.resolved_ms IS NULL'
    return answerAtOnce(this.#connection, readViolations({ hosts: [host] }, isOpen))
  }

  /** Violations that nobody has been told of, and those whose end nobody has been told of; the oldest first. */
  untold(): { readonly begun: Violation[]; readonly over: Violation[] } {
    const found = (condition: string): Violation[] =>
      answerAtOnce(this.#connection, readViolations({}, condition)).toReversed()
    return {
      begun: found('violation.spared IS NULL AND violation.reported_ms IS NULL'),
      over: found(
        'violation.spared IS NULL AND violation.resolved_ms IS NOT NULL AND violation.resolution_told_ms IS NULL',
      ),
    }
  }

  /** Where nobody is to be told, a violation is reported by being here. */
  reportAll(at: number): void {
    const unreported = 'spared IS NULL AND reported_ms IS NULL'
    if (this.#connection.row(`SELECT 1 FROM violation WHERE ${unreported}`) === undefined) return
    this.#connection.run(
      `UPDATE violation SET reported_ms = ?1, resolution_told_ms = ?1 WHERE ${unreported}`,
      ms(at),
    )
  }

  reported(ids: readonly number[], at: number): void {
    this.#mark('reported_ms', ids, at)
  }

  resolutionTold(ids: readonly number[], at: number): void {
    this.#mark('resolution_told_ms', ids, at)
  }

  #mark(column: 'reported_ms' | 'resolution_told_ms', ids: readonly number[], at: number): void {
    if (ids.length === 0) return
    this.#connection.transaction(() => {
      const set = this.#connection.prepare(
        `UPDATE violation SET ${column} = ? WHERE id = ? AND ${column} IS NULL`,
      )
      for (const id of ids) set.run(ms(at), id)
    })
  }

  #keepOne(hostId: number, finding: PolicyFinding): void {
    const { policy, subject, suppressedBecause } = finding
    const row = this.#connection.row(findLast, hostId, policy, keyOf(subject))
    const times = [finding.firstSeen, finding.lastSeen, finding.heldSeconds].map(ms)
    const way = wayToKeep(
      row && {
        suppressedBecause: textOrNull(row, 'spared'),
        lastSeen: number(row, 'last_ms') / 1e3,
      },
      finding,
    )
    if (way === 'nothing new') return
    if (way === 'new' || row === undefined) {
      const columns = this.#columns(hostId, finding)
      this.#connection.run(insert, ...columns, ...times, finding.text, suppressedBecause)
      return
    }
    const sql = way === 'goes on' ? goOn : harmFromNowOn
    this.#connection.run(sql, ...times, finding.text, suppressedBecause, number(row, 'id'))
  }

  #columns(
    hostId: number,
    { policy, severity, subject }: PolicyFinding,
  ): (string | number | null)[] {
    const { user, account, job } = subject
    return [
      policy,
      severity,
      hostId,
      this.#names.idOf('user', user),
      this.#names.idOf('account', account ?? ''),
      keyOf(subject),
      job?.epoch ?? null,
      job?.kind ?? null,
      job?.id ?? null,
      job?.command ?? null,
    ]
  }
}

const ms = (seconds: number): number => Math.round(seconds * 1e3)

const keyOf = ({ job, user }: PolicySubject): string =>
  JSON.stringify(job === null ? [user] : [job.epoch, job.kind, job.id, user])
