import type { Statements } from '../connection.ts'

/** Lets go of jobs that ended before the time of which the team keeps records; answers how many. */
export async function pruneQueue(statements: Statements): Promise<number> {
  let pruned = 0
  for (;;) {
    // Some thousands at a time: nobody waits for the rest.
    const [row] = await statements.rows('SELECT prune_queue() AS pruned')
    const count = Number(row?.['pruned'])
    if (count === 0) return pruned
    pruned += count
  }
}
