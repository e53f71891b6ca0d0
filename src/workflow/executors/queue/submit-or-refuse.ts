import type { QueueSubmission } from '../../../model/queue.ts'
import type { TeamQueue } from '../../../store/postgres/queue/team-queue.ts'
import { asTeamError } from '../../../store/postgres/team-error.ts'
import { isRefusal } from '../../../store/postgres/write/refused.ts'

/**
 * Submits all of these that the queue can take; answers why it does not take the others, by their ids. What is wrong with the
 * connection or the state of the queue is thrown.
 */
export async function submitOrRefuse(
  queue: TeamQueue,
  address: string,
  orders: readonly QueueSubmission[],
): Promise<ReadonlyMap<string, string>> {
  try {
    await queue.submit(orders)
    return new Map()
  } catch (error) {
    const refusal = asTeamError(error, address)
    if (!isRefusal(error) && refusal.code !== 'no-rights') throw error
    const [only, another] = orders
    if (only === undefined) return new Map()
    if (another === undefined) return new Map([[only.id, refusal.message]])
    // One bad order keeps all that are submitted with it out.
    const half = Math.ceil(orders.length / 2)
    const first = await submitOrRefuse(queue, address, orders.slice(0, half))
    const second = await submitOrRefuse(queue, address, orders.slice(half))
    return new Map([...first, ...second])
  }
}
