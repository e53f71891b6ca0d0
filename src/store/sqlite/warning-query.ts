import { missingOutputWords } from '../../model/missing-output.ts'
import type { ResultQuery, ResultWarning } from '../workflow-store.ts'
import type { Connection } from './connection.ts'
import { attemptQuery } from './result-query.ts'
import { number, text } from './row.ts'

/** Of the attempts that a query asks for, those that succeeded and did not write all that they declared. */
export function warningsOf(
  connection: Connection,
  workflowId: number,
  query: ResultQuery,
): ResultWarning[] {
  const columns = 'attempt.job_id, attempt.number, attempt.reason'
  const warned = `AND attempt.status = 'success' AND attempt.reason LIKE ?`
  const { sql, values } = attemptQuery(columns, workflowId, query, warned)
  return connection.mapSound(sql, [...values, `${missingOutputWords}%`], (row) => ({
    jobId: number(row, 'job_id'),
    attempt: number(row, 'number'),
    text: text(row, 'reason'),
  }))
}
