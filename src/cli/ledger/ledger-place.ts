import { ledgerPlace } from '../../record/ledger-place.ts'
import { UserError } from '../../service/user-error.ts'
import { isTeamLedger } from '../../store/ledger/location.ts'
import type { System } from '../../system/system.ts'
import { Console } from '../terminal/console.ts'

/** Where records go. That root keeps its own is said, unless nobody listens. */
export function findLedger(
  system: System,
  override: string | undefined,
  { quiet }: { readonly quiet: boolean },
): string {
  if (isTeamLedger(override)) refuseTeamLedger()
  const { path, passedOver } = ledgerPlace(system, override, process.env)
  if (passedOver !== null && !quiet)
    new Console().complain(`using root's ledger ${path}, because others can change ${passedOver}`)
  return path
}

/** For whatever writes: nothing that happens to a network may slow a job or lose its record. */
export function refuseTeamLedger(): never {
  throw new UserError(
    'a team ledger answers questions only: jobs are recorded, and workflows are changed, in a ledger on their own machine. ' +
      'Leave --db and JOBMETER_DB away, and join the team (jobmeter team join): what is recorded here is then sent to it',
    'usage',
  )
}
