import type { SQLInputValue } from 'node:sqlite'
import type { JobRecord } from '../../../model/record.ts'
import type { RecordOrder, RecordQuery, Several } from '../store.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { recordInRow } from './record-row.ts'
import { number, type Row } from '../../sqlite/row.ts'
import { storedUsage } from './usage-table.ts'

const joined = 'FROM attempt JOIN job ON job.id = attempt.job_id'
const newestFirst = 'ORDER BY attempt.started_at DESC, attempt.id DESC'
export const wholeRecord = `job.*, attempt.*, ${storedUsage} AS usage`

interface Conditions {
  readonly conditions: string[]
  readonly values: SQLInputValue[]
}

/** The attempts that a query asks for, each made into what the caller wants of it; newest first. */
export function attemptsOf<T>(
  connection: Connection,
  columns: string,
  query: RecordQuery,
  make: (row: Row) => T,
): T[] {
  const isByJob = query.name !== undefined || query.tag !== undefined
  if (isByJob && query.limit === undefined) return attemptsOfJobs(connection, columns, query, make)
  const { conditions, values } = conditionsOf(query)
  const limit = query.limit === undefined ? '' : 'LIMIT ?'
  if (query.limit !== undefined) values.push(query.limit)
  // Which ones are the newest of some jobs is found without reading any usage.
  const which = isByJob
    ? `WHERE attempt.id IN (
         SELECT attempt.id FROM job CROSS JOIN attempt ON attempt.job_id = job.id
         ${where(conditions)} ${newestFirst} ${limit})`
    : where(conditions)
  const sql = `SELECT ${columns} ${joined} ${which} ${newestFirst} ${isByJob ? '' : limit}`
  return connection.mapSound(sql, values, make)
}

/**
 * The same from the jobs to their attempts: half the time, for a job is a tenth as long as an attempt, and most are of another
 * name. Sorted here: SQLite would carry the usages along, through a file.
 */
function attemptsOfJobs<T>(
  connection: Connection,
  columns: string,
  query: RecordQuery,
  make: (row: Row) => T,
): T[] {
  const { conditions, values } = conditionsOf(query)
  const sql = `
    SELECT ${columns}, attempt.started_at AS sorted_by, attempt.id AS then_by
    FROM job CROSS JOIN attempt ON attempt.job_id = job.id ${where(conditions)}`
  const found = connection.mapSound(sql, values, (row) => ({
    made: make(row),
    startedAt: number(row, 'sorted_by'),
    attemptId: number(row, 'then_by'),
  }))
  found.sort((one, other) => other.startedAt - one.startedAt || other.attemptId - one.attemptId)
  return found.map(({ made }) => made)
}

/** Records whose task id starts so. A range, not LIKE: `%` and `_` are no wildcards. Nothing sorts after U+10FFFF. */
export function recordsByPrefix(connection: Connection, prefix: string): JobRecord[] {
  const sql = `
    SELECT ${wholeRecord} ${joined} WHERE attempt.task_id >= ? AND attempt.task_id < ? ${newestFirst}`
  return connection.mapSound(sql, [prefix, `${prefix}\u{10ffff}`], recordInRow)
}

const recordsPerPage = 500

/**
 * Record by record, in constant memory. Each page is a question of its own that goes on where the last one ended: one that
 * stayed open while its reader is slow would keep the log from being cut, and on a shared disk all others from writing.
 */
export function* eachRecord(
  connection: Connection,
  query: RecordQuery,
  order: RecordOrder,
): Generator<JobRecord> {
  const { conditions, values } = conditionsOf(query)
  const isForward = order === 'oldest first'
  const direction = isForward ? 'ASC' : 'DESC'
  const sql = `
    SELECT ${wholeRecord} ${joined}
    ${where([...conditions, `(attempt.started_at, attempt.id) ${isForward ? '>' : '<'} (?, ?)`])}
    ORDER BY attempt.started_at ${direction}, attempt.id ${direction} LIMIT ?`
  let left = query.limit ?? Infinity
  let place: readonly SQLInputValue[] = isForward ? [-Infinity, 0] : [Infinity, 0]
  while (left > 0) {
    const size = Math.min(left, recordsPerPage)
    let seen = 0
    let last = place
    const page = connection.mapSound(sql, [...values, ...place, size], (row) => {
      // Of those too that turn out to be damaged: the next page begins after them.
      seen += 1
      last = [row['started_at'] ?? null, row['id'] ?? null]
      return recordInRow(row)
    })
    yield* page
    if (seen < size) return
    place = last
    left -= page.length
  }
}

/** From the jobs to their attempts: of those an index is enough, as long as nothing but the job is asked for. */
export function countRecords(connection: Connection, query: RecordQuery): number {
  const { conditions, values } = conditionsOf(query)
  const sql = `
    SELECT count(*) AS found FROM job CROSS JOIN attempt ON attempt.job_id = job.id ${where(conditions)}`
  const row = connection.row(sql, ...values)
  return row === undefined ? 0 : number(row, 'found')
}

function conditionsOf(query: RecordQuery): Conditions {
  const found: Conditions = { conditions: [], values: [] }
  const add = (
    given: Several<string | number> | undefined,
    condition: (marks: string) => string,
  ): void => {
    if (given === undefined) return
    const values = [given].flat()
    found.conditions.push(condition(`(${values.map(() => '?').join(', ')})`))
    found.values.push(...values)
  }
  const anyCase = query.inAnyCase === true ? 'COLLATE NOCASE ' : ''
  add(query.tool, (marks) => `job.tool ${anyCase}IN ${marks}`)
  add(query.name, (marks) => `job.name ${anyCase}IN ${marks}`)
  add(query.tag, hasTag)
  add(query.user, (marks) => `attempt.user ${anyCase}IN ${marks}`)
  add(query.status, (marks) => `attempt.status IN ${marks}`)
  add(query.startedSince, () => 'attempt.started_at >= ?')
  add(query.jobId, () => 'attempt.job_id = ?')
  if (query.origin === 'workflow') found.conditions.push('job.workflow_id IS NOT NULL')
  if (query.origin === 'command')
    found.conditions.push(isFew(query) ? notOfWorkflow : 'job.workflow_id IS NULL')
  return found
}

const isFew = ({ limit = Infinity }: RecordQuery): boolean => limit <= recordsPerPage

/**
 * For the newest few commands behind 100,000 newer attempts of workflows: these are known from indexes alone, in a fifth of
 * the time that it takes to look each of them up with its job. It is found out anew for every page.
 */
const notOfWorkflow = `attempt.id NOT IN (
  SELECT part.id FROM job AS step CROSS JOIN attempt AS part ON part.job_id = step.id
  WHERE step.workflow_id IS NOT NULL)`

const hasTag = (marks: string): string =>
  `EXISTS (SELECT 1 FROM json_each(job.tags) WHERE json_each.value IN ${marks})`

const where = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
