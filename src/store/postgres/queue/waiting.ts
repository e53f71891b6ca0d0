import type { WaitingKind } from '../../../model/queue.ts'
import type { Row } from '../../sqlite/row.ts'
import type { Statements } from '../connection.ts'

/** What waits for a worker, jobs that are alike together: of these jobs, or of all. */
export async function waitingKinds(
  statements: Statements,
  ids: readonly string[] | 'all',
): Promise<readonly WaitingKind[]> {
  const rows = await statements.rows(
    `SELECT lane."user", tool, program, image, cpus, memory_bytes, gpus, labels, count(*) AS jobs
     FROM queue_job job JOIN queue_lane lane ON lane.id = job.lane_id
     WHERE job.state = 'queued' AND ended_at IS NULL
       AND NOT EXISTS (SELECT FROM queue_cancel WHERE job_id = job.id)
       ${ids === 'all' ? '' : 'AND job.id = ANY(?::uuid[])'}
     GROUP BY lane.id ORDER BY lane.id`,
    ids === 'all' ? [] : [ids],
  )
  return rows.map(kindIn)
}

const kindIn = (row: Row): WaitingKind => ({
  user: String(row['user']),
  tool: String(row['tool']),
  program: String(row['program']),
  image: String(row['image']),
  cpus: Number(row['cpus']),
  memoryBytes: Number(row['memory_bytes']),
  gpus: Number(row['gpus']),
  labels: row['labels'] as unknown as string[],
  jobs: Number(row['jobs']),
})
