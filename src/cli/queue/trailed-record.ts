import type { JobRecord } from '../../model/record.ts'
import { withQueue } from '../../service/queue/open-queue.ts'
import { trailInLedger, trailInQueue, type Trailed } from '../../service/queue/queue-trail.ts'
import { UserError } from '../../service/user-error.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import { QueueError } from '../../store/postgres/queue/queue-error.ts'
import type { System } from '../../system/system.ts'
import type { Console } from '../terminal/console.ts'
import { queueOfLedger } from './queue-of-ledger.ts'

/** Who has a record here does not wait long for what the queue may know besides. */
const patienceSeconds = 2

/**
 * What the queue knows of the job that is meant, with the attempt that counts; else what the ledger has of it. Undefined where
 * neither knows of a job of the queue.
 */
export async function trailedRecord(
  { jobs }: LedgerReader,
  asked: { readonly system: System; readonly db: string | undefined; readonly console: Console },
  typed: string,
  found: JobRecord | undefined,
): Promise<Trailed | undefined> {
  const inLedger = found === undefined ? undefined : await trailInLedger(jobs, found)
  const address = await queueOfLedger(asked.system, asked.db)
  if (address === undefined) return inLedger
  try {
    return await withQueue(
      address,
      (queue) => trailInQueue(queue, jobs, typed, found).catch(unknownIsNone),
      found === undefined ? undefined : patienceSeconds,
    )
  } catch (error) {
    if (found === undefined || !(error instanceof UserError)) throw error
    asked.console.complain(`what follows is what this ledger has: ${error.message}`)
    return inLedger
  }
}

function unknownIsNone(error: unknown): undefined {
  if (error instanceof QueueError && error.code === 'unknown-job') return undefined
  throw error
}
