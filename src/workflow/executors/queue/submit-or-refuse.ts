import type { QueueSubmission } from '../../../model/queue.ts'
import { QueueError } from '../../../store/postgres/queue/queue-error.ts'
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
    const why = refusalIn(error, address)
    if (why === undefined) throw error
    const [only, another] = orders
    if (only === undefined) return new Map()
    if (another === undefined) return new Map([[only.id, why]])
    // One bad order keeps all that are submitted with it out.
    const half = Math.ceil(orders.length / 2)
    const first = await submitOrRefuse(queue, address, orders.slice(0, half))
    const second = await submitOrRefuse(queue, address, orders.slice(half))
    return new Map([...first, ...second])
  }
}

function refusalIn(error: unknown, address: string): string | undefined {
  if (error instanceof QueueError) return error.code === 'too-large' ? error.message : undefined
  const refusal = asTeamError(error, address)
  return isRefusal(error) || refusal.code === 'no-rights' ? refusal.message : undefined
}
