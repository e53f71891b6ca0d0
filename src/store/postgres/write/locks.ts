import type { Statements } from '../connection.ts'

/** The first half of the keys of our advisory locks of tasks. */
const taskLocks = 0x6a6d

/** As many locks as there may be merges at once; a lock of its own for each task would fill the server's table of them. */
const stripes = 64

/**
 * Keeps others from adding any of these tasks until the transaction ends: no index spans the partitions. Always in the same
 * order, so that nobody waits in a circle.
 */
export async function lockTasks(statements: Statements, taskIds: readonly string[]): Promise<void> {
  const wanted = [...new Set(taskIds.map(stripeOf))].toSorted((one, other) => one - other)
  if (wanted.length === 0) return
  const sql = `SELECT pg_advisory_xact_lock(${taskLocks}, stripe) FROM unnest(?::integer[]) AS stripe`
  await statements.rows(sql, [wanted])
}

function stripeOf(taskId: string): number {
  let hash = 0
  for (let index = 0; index < taskId.length; index += 1)
    hash = (hash * 31 + taskId.charCodeAt(index)) % 1_000_003
  return hash % stripes
}
