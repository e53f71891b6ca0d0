import type { JobRecord } from '../../model/record.ts'
import { Owners } from '../../record/owners.ts'
import type { System } from '../../system/system.ts'
import { isTeamLedger } from '../../store/ledger/location.ts'
import { UserError } from '../user-error.ts'

/**
 * Asks the jobmeter that runs a single command to end it, as Ctrl-C would: by its pid, and only if that is still the process
 * which wrote the record. Answers the pid.
 */
export function cancelCommand(
  system: System,
  ledger: string,
  { taskId, status, owner }: Pick<JobRecord, 'taskId' | 'status' | 'owner'>,
): number {
  if (status !== 'running') throw new UserError(`job ${taskId} is over`)
  const { pid, host } = owner
  // What others have sent must not tell this machine which of its processes to end.
  if (isTeamLedger(ledger))
    throw new UserError(
      `job ${taskId} is known from the team ledger, and runs on ${host}. Cancel it there`,
    )
  if (pid === system.processes.self || !new Owners(system, ledger).isWithinReach(owner))
    throw new UserError(
      `job ${taskId} is run by process ${pid} on ${host}, which cannot be reached from here. Cancel it there`,
    )
  if (!system.processes.signal(pid, 'SIGTERM'))
    throw new UserError(`process ${pid}, which runs job ${taskId}, cannot be stopped from here`)
  return pid
}
