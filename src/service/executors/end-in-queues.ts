import { count } from '../../model/count.ts'
import { isOver } from '../../model/queue.ts'
import { every } from '../../record/heartbeat.ts'
import { findJobs } from '../../store/postgres/queue/jobs.ts'
import { withdraw } from '../../store/postgres/queue/standing.ts'
import type { TeamQueue } from '../../store/postgres/queue/team-queue.ts'
import type { System } from '../../system/system.ts'
import type { QueueHandle, QueueName } from '../../workflow/executors/queue/queue-handle.ts'
import { knownQueueAddress, openNamedQueue } from '../queue/open-queue.ts'
import { waitForJobs } from '../queue/wait-for-jobs.ts'
import { UserError } from '../user-error.ts'
import type { LeftThere } from './left-there.ts'

const lookSeconds = 1
/** The usual lease of a worker, and some more. */
const mostSilentSeconds = 75

/** Has attempts end that were put into queues, and waits until they have: the request stands in the queue, for whoever has them. */
export async function endInQueues(
  system: System,
  ledger: string,
  left: readonly LeftThere<QueueHandle>[],
): Promise<void> {
  const byQueue = Map.groupBy(left, ({ handle }) => handle.queue.id)
  for (const attempts of byQueue.values()) {
    const [{ handle }] = attempts as [LeftThere<QueueHandle>]
    const ids = attempts.map(({ taskId }) => taskId)
    const queue = await openNamed(system, ledger, handle.queue, ids.length)
    try {
      await withdraw(queue.database, ids, 'cancelled')
      for (const id of ids) await queue.cancel(id, 1)
      await untilOver(system, queue, ids, handle.queue.address)
    } finally {
      await queue.close().catch(() => {})
    }
  }
}

/**
 * Attempts have their grace time, and whoever runs the workflow on must not run them beside themselves. One whose worker is
 * lost is over with the worker's lease.
 */
async function untilOver(
  { clock }: System,
  queue: TeamQueue,
  ids: readonly string[],
  address: string,
): Promise<void> {
  const graces = (await findJobs(queue.database, ids)).map(({ order }) => order.graceSeconds)
  const stopReaping = every(clock, lookSeconds, () => void queue.reap().catch(() => 0))
  const jobs = await waitForJobs(queue, clock, ids, Math.max(0, ...graces) + mostSilentSeconds)
  stopReaping()
  const open = jobs.filter(({ state }) => !isOver(state))
  if (open.length === 0) return
  throw new UserError(
    `${count(open.length, 'attempt')} in the queue at ${address} was asked to end, and has not ended. See jobmeter queue status, and try again`,
    'machine',
  )
}

/** By the address that the user has for it, in which there may be a password; else by the one that was noted. */
async function openNamed(
  system: System,
  ledger: string,
  { id, address }: QueueName,
  attempts: number,
): Promise<TeamQueue> {
  const known = knownQueueAddress(system, process.env, ledger)
  let why = ''
  for (const tried of new Set([...(known === undefined ? [] : [known]), address]))
    try {
      const { queue, name } = await openNamedQueue(tried)
      if (name.id === id) return queue
      await queue.close()
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      why = `: ${error.message}`
    }
  throw new UserError(
    `${count(attempts, 'attempt')} may still run in the queue at ${address}, which cannot be told to end them${why}. Name that database with $JOBMETER_TEAM, and try again`,
    'machine',
  )
}
