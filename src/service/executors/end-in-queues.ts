import { count } from '../../model/count.ts'
import { withdraw } from '../../store/postgres/queue/standing.ts'
import type { TeamQueue } from '../../store/postgres/queue/team-queue.ts'
import type { System } from '../../system/system.ts'
import type { QueueHandle, QueueName } from '../../workflow/executors/queue/queue-handle.ts'
import { openNamedQueue } from '../queue/open-queue.ts'
import { meantTeam } from '../team/team-config.ts'
import { UserError } from '../user-error.ts'
import type { LeftThere } from './left-there.ts'

/** Has attempts end that were put into queues: the request stands in the queue, for whoever has them or takes them. */
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
    } finally {
      await queue.close().catch(() => {})
    }
  }
}

/** By the address that the user has for it, in which there may be a password; else by the one that was noted. */
async function openNamed(
  system: System,
  ledger: string,
  { id, address }: QueueName,
  attempts: number,
): Promise<TeamQueue> {
  const known = meantTeam(system, process.env, ledger)
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
