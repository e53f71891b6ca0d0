import type { QueueJob } from '../../model/queue.ts'
import type { TeamQueue } from '../../store/postgres/queue/team-queue.ts'
import { stuckJobs } from './stuck-jobs.ts'

interface WhyWaiting {
  /** null for a job that has begun. */
  readonly why: string | null
  /** Whether it does not begin as things stand. */
  readonly isStuck: boolean
}

/** Why a job has not begun. */
export async function whyWaiting(queue: TeamQueue, job: QueueJob): Promise<WhyWaiting> {
  if (job.state === 'waiting')
    return { why: 'It waits for the job that it was submitted to come after.', isStuck: false }
  if (job.state !== 'queued') return { why: null, isStuck: false }
  const [stuck] = await stuckJobs(queue, [job.id])
  if (stuck !== undefined) return { why: `It waits: ${stuck.why}.`, isStuck: true }
  return { why: waitsForRoom, isStuck: false }
}

const waitsForRoom =
  'It waits for room: there are workers that accept it, as far as names tell. A worker that limits programs compares the files that it finds by these names.'
