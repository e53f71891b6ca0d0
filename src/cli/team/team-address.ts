import { resolve } from 'node:path'
import { isTeamAddress } from '../../store/ledger/location.ts'
import { neededTeam } from '../../service/team/team-config.ts'
import { UserError } from '../../service/user-error.ts'
import { StoreError } from '../../store/errors.ts'
import { asTeamError } from '../../store/postgres/team-error.ts'
import type { System } from '../../system/system.ts'
import { findLedger } from '../ledger/ledger-place.ts'

/** An address that was typed. */
export function typedAddress(given: string): string {
  if (isTeamAddress(given)) return given
  throw new UserError(
    `${given} is not the address of a database, such as postgres://user@host/database`,
    'usage',
  )
}

export interface LedgerOfTeam {
  readonly ledger: string
  readonly address: string
}

/** The ledger that is meant, and its team. */
export function ledgerOfTeam(system: System, db: string | undefined): LedgerOfTeam {
  const ledger = ledgerHere(system, db)
  return { ledger, address: neededTeam(system, process.env, ledger) }
}

export const ledgerHere = (system: System, db: string | undefined): string =>
  resolve(findLedger(system, db, { quiet: false }))

/** What is wrong with a team ledger is for people to mend. */
export async function telling<T>(address: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UserError || error instanceof StoreError) throw error
    throw new UserError(asTeamError(error, address).message)
  }
}
