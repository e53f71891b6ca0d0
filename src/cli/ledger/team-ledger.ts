import { basename, dirname, join, resolve } from 'node:path'
import { isTeamLedger, teamWord } from '../../store/ledger/location.ts'
import { shownAddress } from '../../store/ledger/team-address.ts'
import type { System } from '../../system/system.ts'
import { findLedger } from './ledger-place.ts'

/** The team's ledger that is named, by `--db` or by the environment. */
export function teamLedgerAsked(given: string | undefined): string | undefined {
  const named = given || process.env['JOBMETER_DB']
  return isTeamLedger(named) ? named : undefined
}

/** Where a team's ledger is: as it is named, or that of the team that is meant here. */
export async function teamAddress(system: System, named: string): Promise<string> {
  if (named !== teamWord) return named
  // Rare, and it has a file to check.
  const { neededTeam } = await import('../../service/team/team-config.ts')
  const ledger = resolve(findLedger(system, undefined, { quiet: true }))
  return neededTeam(system, process.env, ledger)
}

/** Where a server of a team's ledger keeps what is its own: a folder beside the ledger of this machine. */
export function besideTeam(system: System, address: string): string {
  const { host, pathname } = new URL(shownAddress(address))
  const name = `${host}${pathname}`.replaceAll(/[^\w.-]+/g, '_')
  const own = findLedger(system, undefined, { quiet: true })
  return join(dirname(own), 'teams', name, basename(own))
}
