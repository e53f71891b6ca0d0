import { killedReason } from '../store/interrupted.ts'
import type { Ledger } from '../store/ledger.ts'
import { removeAbandonedSigns } from '../store/life-sign.ts'
import { takeIn } from '../store/spool/take-in.ts'
import { openSqliteLedger } from '../store/sqlite/open.ts'
import type { System } from '../system/system.ts'
import { Owners } from './owners.ts'

/**
 * Opens the ledger with what has been waiting to get into it. Attempts whose runner has died are called what they are.
 * Records that cannot be read are told to `onProblem`, and do not keep the others from being read.
 */
export function openLedger(
  system: System,
  path: string,
  onProblem: (problem: string) => void = () => {},
  lockWaitMilliseconds?: number,
): Ledger {
  const ledger = openSqliteLedger(path, lockWaitMilliseconds)
  const owners = new Owners(system, path)
  takeIn(ledger, path, owners.isDead).forEach(onProblem)
  interruptDead(ledger, owners)
  removeAbandonedSigns(path, system.files.tryLock, system.clock.wallSeconds())
  return ledger
}

/** Calls attempts interrupted whose owner is dead. One that tells its end after all is believed. */
export function interruptDead({ jobs }: Ledger, owners: Owners): void {
  for (const { taskId, owner, heardAt } of jobs.running())
    if (owners.isDead(owner, heardAt)) jobs.interrupt(taskId, killedReason)
}
