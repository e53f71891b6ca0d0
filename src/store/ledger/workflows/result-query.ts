import type { BriefKey } from '../../../model/brief-record.ts'
import type { BriefResult, ResultQuery, ResultRow } from '../workflow-store.ts'
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
  const conditions: string[] = []
  const values: (string | number)[] = [workflowId]
  const where = (condition: string, value: number | undefined): void => {
    if (value === undefined) return
    conditions.push(`AND ${condition}`)
    values.push(value)
  }
  where('job.id = ?', query.jobId)
  where('attempt.run_id = ?', query.runId)
  if (query.status !== undefined) {
    const alternatives = standing(query.status, dialect)
    conditions.push(`AND ${anyOf(alternatives)}`)
    values.push(...valuesOf(alternatives))
  }
  if (query.allRuns !== true && query.runId === undefined)
    conditions.push('AND attempt.number = job.attempt_count AND job.position IS NOT NULL')
  const from = `${dialect.workflowAttempts} WHERE job.workflow_id = ?`
  return {
    sql: `SELECT ${columns(dialect)} ${from} ${conditions.join(' ')} ${inOrder}`,
    values,
  }
}
