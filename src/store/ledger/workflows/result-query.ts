import type { SQLInputValue } from 'node:sqlite'
import type { BriefKey } from '../../../model/brief-record.ts'
import type { BriefResult, ResultQuery, ResultRow } from '../workflow-store.ts'
import { briefColumns, briefRecordOf } from '../records/brief-row.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { wholeRecord } from '../records/record-query.ts'
import { recordInRow } from '../records/record-row.ts'
import { number, type Row } from '../../sqlite/row.ts'

// From the jobs in their order to the attempts of each in theirs: both by an index, so nothing is sorted. SQLite has to be
// told that a place is one job's: those that a mended file no longer has share none.
const joined = `FROM job CROSS JOIN attempt ON attempt.job_id = job.id WHERE job.workflow_id = ?`
const inOrder = 'ORDER BY job.position, job.id, attempt.number'

/** Attempts of a workflow, by job, run and attempt. */
export function resultsOf(
  connection: Connection,
  workflowId: number,
  query: ResultQuery,
): ResultRow[] {
  const { sql, values } = attemptQuery(wholeRecord, workflowId, query)
  return connection.mapSound(sql, values, (row) => placed(row, recordInRow(row)))
}

export function briefResultsOf<Key extends BriefKey, T>(
  connection: Connection,
  workflowId: number,
  query: ResultQuery,
  keys: readonly Key[],
  make: (result: BriefResult<Key>) => T,
): T[] {
  const { sql, values } = attemptQuery(briefColumns(keys), workflowId, query)
  return connection.mapSound(sql, values, (row) => make(placed(row, briefRecordOf(row, keys))))
}

function placed<T extends { readonly attempt: number }>(
  row: Row,
  record: T,
): { jobId: number; runId: number; attempt: number; record: T } {
  const jobId = number(row, 'job_id')
  return { jobId, runId: number(row, 'run_id'), attempt: record.attempt, record }
}

/** The statement that selects these columns of the attempts that a query asks for. */
export function attemptQuery(
  columns: string,
  workflowId: number,
  query: ResultQuery,
): { readonly sql: string; readonly values: readonly SQLInputValue[] } {
  const conditions: string[] = []
  const values: SQLInputValue[] = [workflowId]
  const where = (condition: string, value: SQLInputValue | undefined): void => {
    if (value === undefined) return
    conditions.push(`AND ${condition}`)
    values.push(value)
  }
  where('job.id = ?', query.jobId)
  where('attempt.run_id = ?', query.runId)
  if (query.status !== undefined) {
    conditions.push(`AND attempt.status IN (${query.status.map(() => '?').join(', ')})`)
    values.push(...query.status)
  }
  if (query.allRuns !== true && query.runId === undefined)
    conditions.push('AND attempt.number = job.attempt_count AND job.position IS NOT NULL')
  return { sql: `SELECT ${columns} ${joined} ${conditions.join(' ')} ${inOrder}`, values }
}
