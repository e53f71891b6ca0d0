import type { SQLInputValue } from 'node:sqlite'
import { severities } from '../../model/alert.ts'
import type { Violation } from '../../model/violation.ts'
import { MalformedRow } from '../errors.ts'
import { number, numberOrNull, text, textOrNull, type Row } from '../sqlite/row.ts'
import { rowsOf, type Asking } from './asking.ts'
import { kindIn } from './node-job-row.ts'

/** Which violations are asked for; lists are met by any of their entries. */
export interface ViolationQuery {
  readonly policies?: readonly string[]
  readonly users?: readonly string[]
  readonly hosts?: readonly string[]
  /** So at any moment between these, in seconds since 1970. */
  readonly from?: number
  readonly to?: number
}

/** A host that policies judge; `unmeasured`: why one of them cannot, by its name. */
export interface JudgedHost {
  readonly host: string
  readonly judgedAt: number
  /** An agent, round by round, or somebody afterwards. */
  readonly isByAgent: boolean
  readonly unmeasured: ReadonlyMap<string, string>
}

const violationSql = `
  SELECT violation.*, host.name AS host, "user".name AS "user", account.name AS account
  FROM violation
  JOIN host ON host.id = violation.host_id
  JOIN "user" ON "user".id = violation.user_id
  JOIN account ON account.id = violation.account_id`

/** `also`: a further condition, part of the program. */
export function readViolations(query: ViolationQuery, also?: string): Asking<Violation[]> {
  const conditions: string[] = also === undefined ? [] : [also]
  const values: SQLInputValue[] = []
  const anyOf = (column: string, wanted: readonly string[] = []): void => {
    if (wanted.length === 0) return
    conditions.push(`${column} IN (${wanted.map(() => '?').join(', ')})`)
    values.push(...wanted)
  }
  anyOf('violation.policy', query.policies)
  anyOf('"user".name', query.users)
  anyOf('host.name', query.hosts)
  if (query.from !== undefined) {
    conditions.push('violation.last_ms >= ?')
    values.push(Math.round(query.from * 1e3))
  }
  if (query.to !== undefined) {
    conditions.push('violation.first_ms < ?')
    values.push(Math.round(query.to * 1e3))
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  return rowsOf(
    `${violationSql} ${where} ORDER BY violation.last_ms DESC, violation.id`,
    values,
    violationOf,
  )
}

const seconds = (row: Row, column: string): number | null => {
  const milliseconds = numberOrNull(row, column)
  return milliseconds === null ? null : milliseconds / 1e3
}

function violationOf(row: Row): Violation {
  return {
    id: number(row, 'id'),
    policy: text(row, 'policy'),
    severity: severityIn(row),
    subject: {
      host: text(row, 'host'),
      user: text(row, 'user'),
      account: textOrNull(row, 'account') || null,
      job:
        row['kind'] === null
          ? null
          : {
              epoch: text(row, 'epoch'),
              kind: kindIn(row),
              id: text(row, 'key'),
              command: text(row, 'command'),
            },
    },
    firstSeen: number(row, 'first_ms') / 1e3,
    lastSeen: number(row, 'last_ms') / 1e3,
    heldSeconds: number(row, 'held_ms') / 1e3,
    text: text(row, 'text'),
    suppressedBecause: textOrNull(row, 'spared'),
    reportedAt: seconds(row, 'reported_ms'),
    resolvedAt: seconds(row, 'resolved_ms'),
    resolvedBecause: textOrNull(row, 'resolved_because'),
  }
}

function severityIn(row: Row): Violation['severity'] {
  const found = severities.find((one) => one === text(row, 'severity'))
  if (found === undefined) throw new MalformedRow('column severity holds an invalid value')
  return found
}

export function* readJudgedHosts(): Asking<JudgedHost[]> {
  const rows = yield* rowsOf(
    `SELECT host.name AS host, policy, judged_ms, unmeasured, judged_by FROM policy_state
     JOIN host ON host.id = host_id ORDER BY host.name, policy`,
    [],
    (row) => ({
      host: text(row, 'host'),
      policy: text(row, 'policy'),
      judgedAt: number(row, 'judged_ms') / 1e3,
      unmeasured: textOrNull(row, 'unmeasured'),
      isByAgent: text(row, 'judged_by') === 'agent',
    }),
  )
  return [...Map.groupBy(rows, ({ host }) => host)].map(([host, states]) => ({
    host,
    judgedAt: Math.max(...states.map(({ judgedAt }) => judgedAt)),
    isByAgent: states.some(({ isByAgent }) => isByAgent),
    unmeasured: new Map(
      states.flatMap(({ policy, unmeasured }) =>
        unmeasured === null ? [] : [[policy, unmeasured] as const],
      ),
    ),
  }))
}
