import type { Row } from '../../sqlite/row.ts'
import type { Statements } from '../connection.ts'

/** An attempt whose end counts. */
export interface Settled {
  readonly jobId: string
  readonly laneId: number
  readonly fence: number
  /** `returned`: it was not begun, and its job is as it was before. */
  readonly status: string
  readonly exitCode: number | null
  readonly reason: string | null
}

/**
 * Ends the jobs of these attempts, or has them run again where their rule allows it. A job that was to end is `cancelled`,
 * however it ended then: its attempt has the rest.
 */
export async function settleJobs(
  statements: Statements,
  settled: readonly Settled[],
): Promise<void> {
  if (settled.length === 0) return
  await statements.rows(
    'SELECT settle_jobs(?::uuid[], ?::bigint[], ?::int[], ?::text[], ?::int[], ?::text[])',
    [
      settled.map(({ jobId }) => jobId),
      settled.map(({ laneId }) => laneId),
      settled.map(({ fence }) => fence),
      settled.map(({ status }) => status),
      settled.map(({ exitCode }) => exitCode),
      settled.map(({ reason }) => reason),
    ],
  )
}

/** The same for attempts that were not begun; nothing else is left of them. */
export async function undoAttempts(
  statements: Statements,
  attempts: readonly Row[],
  end: { readonly status: string; readonly reason: string | null },
): Promise<void> {
  if (attempts.length === 0) return
  await settleJobs(
    statements,
    attempts.map((row) => ({
      jobId: String(row['job_id']),
      laneId: Number(row['lane_id']),
      fence: Number(row['fence']),
      exitCode: null,
      ...end,
    })),
  )
  await statements.run('DELETE FROM queue_attempt WHERE task_id = ANY(?::uuid[])', [
    attempts.map(({ task_id: taskId = null }) => taskId),
  ])
}
