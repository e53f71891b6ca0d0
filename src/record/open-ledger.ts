import type { Ledger } from '../store/ledger.ts'
import { takeIn } from '../store/spool/take-in.ts'
import { openSqliteLedger } from '../store/sqlite/open.ts'
import type { System } from '../system/system.ts'
import { isDead } from './owner.ts'

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
  takeIn(ledger, path, (owner) => isDead(system, owner)).forEach(onProblem)
  for (const { taskId, owner } of ledger.jobs.running())
    if (isDead(system, owner))
      ledger.jobs.interrupt(taskId, 'jobmeter was killed while the job ran')
  return ledger
}
