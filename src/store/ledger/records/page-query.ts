import type { JobInList, ListPlace } from '../../../model/listed-job.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { number } from '../../sqlite/row.ts'
import { sqliteDialect, type Dialect } from '../dialect.ts'
import type { PageQuery, RecordQuery } from '../store.ts'
import { listedColumns, listedJobOf } from './listed-row.ts'
import {
  anyOf,
  conditionsOf,
  startOfTaskId,
  valuesOf,
  where,
  wordsInJob,
  wordsInUser,
} from './record-conditions.ts'
import { newestFirst } from './record-query.ts'

/** So many of the newest attempts are looked at one by one, in 3 ms, before the jobs are searched. */
const nearRows = 3_000
/** More attempts than these are not sorted: so many are met soon enough on the way from the newest ones. */
const mostCandidates = 5_000

const { attempts } = sqliteDialect
const walked = 'FROM attempt INDEXED BY attempt_list CROSS JOIN job ON job.id = attempt.job_id'

/**
 * A page of a list that is newest first, after a place in it.
 *
 * What only the job tells (its name, tool, tags and words) is looked for among the newest attempts first: mostly a
 * page is full soon. If not, all jobs are read, from an index that has just that; where they have few attempts, these
 * are the ones, and where they have many, the walk goes on until the page is full.
 */
export function pageOf(
  connection: Connection,
  query: PageQuery,
  after: ListPlace | null,
): JobInList[] {
  const asked = placed(query, after, sqliteDialect)
  const ids = asksJob(query)
    ? idsByJob(connection, query, { asked, from: after?.startedAt ?? Infinity })
    : // One attempt is found by its id, and not on the way from the newest ones.
      idsOf(connection, query.taskId === undefined ? walked : attempts, asked)
  const sql = `SELECT ${listedColumns(sqliteDialect)} ${attempts} WHERE ${sqliteDialect.isListed} ${newestFirst}`
  return connection.mapSound(sql, [JSON.stringify(ids)], listedJobOf)
}

interface Asked {
  readonly conditions: readonly string[]
  readonly values: readonly (string | number)[]
  readonly limit: number
}

/** What the attempts after a place in the list are like. */
export function placed(query: PageQuery, after: ListPlace | null, dialect: Dialect): Asked {
  const { conditions, values } = conditionsOf(query, dialect)
  const { limit } = query
  if (after === null) return { conditions, values, limit }
  const { startedAt, attemptId, taskId } = after
  // The job at the place may have got its number in the meantime: it has been shown.
  const rest = Number.isFinite(attemptId)
    ? { conditions: ['(attempt.started_at, attempt.id) < (?, ?)'], values: [startedAt, attemptId] }
    : {
        conditions: ['attempt.started_at <= ?', 'attempt.task_id <> ?'],
        values: [startedAt, taskId],
      }
  return {
    conditions: [...conditions, ...rest.conditions],
    values: [...values, ...rest.values],
    limit,
  }
}

const asksJob = ({ name, tool, tag, search, workingDirectory }: RecordQuery): boolean =>
  [name, tool, tag, search, workingDirectory].some((asked) => asked !== undefined)

function idsByJob(
  connection: Connection,
  query: PageQuery,
  { asked, from }: { readonly asked: Asked; readonly from: number },
): number[] {
  const { conditions, values, limit } = asked
  const nearest = edgeOf(connection, Math.min(from, query.startedBefore ?? Infinity))
  if (nearest !== undefined) {
    const near = idsOf(connection, walked, {
      conditions: [...conditions, 'attempt.started_at >= ?'],
      values: [...values, nearest],
      limit,
    })
    if (near.length === limit) return near
    const candidates = candidatesOf(connection, query)
    if (candidates.length <= mostCandidates)
      return idsOf(connection, attempts, {
        conditions: [sqliteDialect.isListed, ...conditions],
        values: [JSON.stringify(candidates), ...values],
        limit,
      })
  }
  return idsOf(connection, walked, asked)
}

/** When the last of the near ones started; undefined if there are no others. */
function edgeOf(connection: Connection, from: number): number | undefined {
  const sql = `
    SELECT started_at FROM attempt INDEXED BY attempt_list
    WHERE started_at <= ? ORDER BY started_at DESC LIMIT 1 OFFSET ${nearRows}`
  const row = connection.row(sql, from)
  return row === undefined ? undefined : number(row, 'started_at')
}

function idsOf(connection: Connection, source: string, asked: Asked): number[] {
  const sql = `SELECT attempt.id ${source} ${where(asked.conditions)} ${newestFirst} LIMIT ?`
  return connection.map(sql, [...asked.values, asked.limit], (row) => number(row, 'id'))
}

/** All attempts that may be meant, by their jobs and by what is looked for; one more than the most if there are too many. */
function candidatesOf(connection: Connection, query: PageQuery): number[] {
  const { name, tool, tag, inAnyCase, search } = query
  const ofJob = {
    ...(name === undefined ? {} : { name }),
    ...(tool === undefined ? {} : { tool }),
    ...(tag === undefined ? {} : { tag }),
    ...(inAnyCase === undefined ? {} : { inAnyCase }),
  }
  const { conditions, values } = conditionsOf(ofJob, sqliteDialect)
  const ofJobs =
    'SELECT attempt.id FROM job INDEXED BY job_list CROSS JOIN attempt ON attempt.job_id = job.id'
  if (search === undefined) return found(connection, `${ofJobs} ${where(conditions)}`, values)
  const words = wordsInJob(search, sqliteDialect)
  const [user, taskId] = [wordsInUser(search, sqliteDialect), startOfTaskId(search)]
  return found(
    connection,
    `${ofJobs} ${where([...conditions, anyOf(words)])}
     UNION ALL SELECT attempt.id FROM attempt INDEXED BY attempt_list WHERE ${anyOf([user])}
     UNION ALL SELECT attempt.id FROM attempt WHERE ${anyOf([taskId])}`,
    [...values, ...valuesOf([...words, user, taskId])],
  )
}

const found = (
  connection: Connection,
  sql: string,
  values: readonly (string | number)[],
): number[] =>
  connection.map(`${sql} LIMIT ${mostCandidates + 1}`, values, (row) => number(row, 'id'))
