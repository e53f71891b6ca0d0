import { UserError } from '../../service/user-error.ts'
import type { System } from '../../system/system.ts'
import { teamAddress, teamLedgerAsked } from '../ledger/team-ledger.ts'
import { addressAsked } from './address.ts'

/** The queue of the team whose ledger is asked, or that the ledger of this machine has joined; undefined where none is known. */
export async function queueOfLedger(
  system: System,
  db: string | undefined,
): Promise<string | undefined> {
  const team = teamLedgerAsked(db)
  if (team !== undefined) return teamAddress(system, team)
  // A file that somebody names has what it has.
  if (db !== undefined) return undefined
  try {
    return addressAsked(undefined, system)
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}
