import type { FileMark } from '../workflow-store.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { number, text, textOrNull } from '../../sqlite/row.ts'

const insert = `
  INSERT INTO job_input (job_id, position, path, size_bytes, modified_seconds, hash)
  VALUES (?, ?, ?, ?, ?, ?)`
const ofWorkflow = `
  SELECT job_input.* FROM job JOIN job_input ON job_input.job_id = job.id
  WHERE job.workflow_id = ? ORDER BY job_input.job_id, job_input.position`

/** Replaces what was kept for the job. Belongs inside a transaction. */
export function keepInputs(
  connection: Connection,
  jobId: number,
  inputs: readonly FileMark[],
): void {
  connection.run('DELETE FROM job_input WHERE job_id = ?', jobId)
  const statement = connection.prepare(insert)
  inputs.forEach(({ path, sizeBytes, modifiedSeconds, hash }, position) =>
    statement.run(jobId, position, path, sizeBytes, modifiedSeconds, hash),
  )
}

export function inputsOf(connection: Connection, workflowId: number): Map<number, FileMark[]> {
  const rows = connection.rows(ofWorkflow, workflowId)
  return connection.guard(() => {
    const inputs = new Map<number, FileMark[]>()
    for (const row of rows) {
      const jobId = number(row, 'job_id')
      const marks = inputs.get(jobId) ?? []
      inputs.set(jobId, marks)
      marks.push({
        path: text(row, 'path'),
        sizeBytes: number(row, 'size_bytes'),
        modifiedSeconds: number(row, 'modified_seconds'),
        hash: textOrNull(row, 'hash'),
      })
    }
    return inputs
  })
}
