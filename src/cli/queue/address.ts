import { queueAddress } from '../../service/queue/open-queue.ts'
import { realSystem } from '../../system/real.ts'
import type { System } from '../../system/system.ts'
import { findLedger } from '../ledger/ledger-place.ts'

/** The database of the queue that is meant. */
export function addressAsked(
  db: string | undefined,
  system: System = realSystem({ ownsProcess: false }),
  ledger = findLedger(system, undefined, { quiet: true }),
): string {
  return queueAddress(system, process.env, { db }, ledger)
}
