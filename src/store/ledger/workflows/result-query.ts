import type { BriefKey } from '../../../model/brief-record.ts'
import type { BriefResult, EarlierQuery, ResultQuery, ResultRow } from '../workflow-store.ts'
import { sqliteDialect, type Dialect } from '../dialect.ts'
import { briefColumns, briefRecordOf } from '../records/brief-row.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { anyOf, standing, valuesOf } from '../records/record-conditions.ts'
import { recordInRow, wholeRecord } from '../records/record-row.ts'
import { number, type Row } from '../../sqlite/row.ts'

// Those that a mended file no longer has come first: engines do not agree on where what is not known belongs.
const inOrder = 'ORDER BY job.position NULLS FIRST, job.id, attempt.number'

/** Attempts of a workflow, by job, run and attempt. */
export function resultsOf(
  connection: Connection,
  workflowId: number,
  query: ResultQuery,
): ResultRow[] {
  const { sql, values } = attemptQuery(wholeRecord, workflowId, query, sqliteDialect)
  return connection.mapSound(sql, values, resultIn)
}

export function briefResultsOf<Key extends BriefKey, T>(
  connection: Connection,
  workflowId: number,
  query: ResultQuery,
  keys: readonly Key[],
  make: (result: BriefResult<Key>) => T,
): T[] {
  const { sql, values } = briefQuery(workflowId, query, keys, sqliteDialect)
  return connection.mapSound(sql, values, (row) => make(briefResultIn(row, keys)))
}

export function countEarlierOf(
  connection: Connection,
  workflowId: number,
  query: EarlierQuery,
): number {
  const { sql, values } = earlierQuery(workflowId, query, sqliteDialect)
  const [found = 0] = connection.map(sql, values, foundIn)
  return found
}

export const resultIn = (row: Row): ResultRow => placed(row, recordInRow(row))

export const briefQuery = (
  workflowId: number,
  query: ResultQuery,
  keys: readonly BriefKey[],
  dialect: Dialect,
): AttemptQuery => attemptQuery((of) => briefColumns(keys, of), workflowId, query, dialect)

export const briefResultIn = <Key extends BriefKey>(
  row: Row,
  keys: readonly Key[],
): BriefResult<Key> => placed(row, briefRecordOf(row, keys))

function placed<T extends { readonly attempt: number }>(
  row: Row,
  record: T,
): { jobId: number; runId: number; attempt: number; record: T } {
  const jobId = number(row, 'job_id')
  return { jobId, runId: number(row, 'run_id'), attempt: record.attempt, record }
}

export interface AttemptQuery {
  readonly sql: string
  readonly values: readonly (string | number)[]
}

/** The statement that selects these columns of the attempts that a query asks for. */
export function attemptQuery(
  columns: (dialect: Dialect) => string,
  workflowId: number,
  query: ResultQuery,
  dialect: Dialect,
): AttemptQuery {
  const { conditions, values } = chosen(workflowId, query, dialect)
  if (query.allRuns !== true && query.runId === undefined)
    conditions.push(`attempt.number = job.attempt_count AND ${isInWorkflow}`)
  return {
    sql: `SELECT ${columns(dialect)} ${dialect.workflowAttempts} WHERE ${conditions.join(' AND ')} ${inOrder}`,
    values,
  }
}

/** The statement that counts attempts which another attempt of the same job came after. */
export function earlierQuery(
  workflowId: number,
  query: EarlierQuery,
  dialect: Dialect,
): AttemptQuery {
  const { conditions, values } = chosen(workflowId, query, dialect)
  conditions.push(`attempt.number < job.attempt_count AND ${isInWorkflow}`)
  return {
    sql: `SELECT count(*) AS found ${dialect.workflowAttempts} WHERE ${conditions.join(' AND ')}`,
    values,
  }
}

export const foundIn = (row: Row): number => number(row, 'found')

/** A job that a mended file no longer has keeps its attempts, but has no place. */
const isInWorkflow = 'job.position IS NOT NULL'

function chosen(
  workflowId: number,
  query: ResultQuery,
  dialect: Dialect,
): { conditions: string[]; values: (string | number)[] } {
  const conditions = ['job.workflow_id = ?']
  const values: (string | number)[] = [workflowId]
  const where = (condition: string, value: number | undefined): void => {
    if (value === undefined) return
    conditions.push(condition)
    values.push(value)
  }
  where('job.id = ?', query.jobId)
  where('attempt.run_id = ?', query.runId)
  if (query.status !== undefined) {
    const alternatives = standing(query.status, dialect)
    conditions.push(anyOf(alternatives))
    values.push(...valuesOf(alternatives))
  }
  if (query.leftSomething === true) conditions.push("attempt.stragglers <> '[]'")
  return { conditions, values }
}
