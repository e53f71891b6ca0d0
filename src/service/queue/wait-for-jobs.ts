import type { QueueJob } from '../../model/queue.ts'
import { JobWaiter } from '../../store/postgres/queue/job-waiter.ts'
import { findJobs } from '../../store/postgres/queue/jobs.ts'
import type { TeamQueue } from '../../store/postgres/queue/team-queue.ts'
import type { Clock } from '../../system/system.ts'

interface Waits {
  readonly clock: Clock
  /** For the user: why nothing is known for the time being. */
  readonly note: (message: string) => void
  readonly mostSeconds?: number | undefined
}

/** How these jobs stand when all of them are over, or after so long: in this order, as far as they are there. */
export async function waitForJobs(
  queue: TeamQueue,
  ids: readonly string[],
  { clock, note, mostSeconds = Infinity }: Waits,
): Promise<readonly QueueJob[]> {
  const waiter = new JobWaiter(queue, { clock, note })
  const giveUp =
    mostSeconds === Infinity ? () => {} : clock.after(mostSeconds, () => waiter.close())
  try {
    await Promise.all(ids.map((id) => waiter.wait(id)))
  } finally {
    giveUp()
    waiter.close()
  }
  const found = new Map((await findJobs(queue.database, ids)).map((job) => [job.id, job]))
  return ids.flatMap((id) => found.get(id) ?? [])
}
