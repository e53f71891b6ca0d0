import { resolve } from 'node:path'
import { openLedgerAt, openLedgerToWrite } from '../../record/open-ledger.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import type { LockWait } from '../../store/sqlite/lock-wait.ts'
import { isNowhere } from '../../store/spool/spool-directory.ts'
import { readerOf, type LedgerReader } from '../../store/ledger/ledger-reader.ts'
import { isTeamLedger } from '../../store/ledger/location.ts'
import { teamReader } from '../../store/ledger/team-ledger.ts'
import type { System } from '../../system/system.ts'
import { Console } from '../terminal/console.ts'
import { becomeOwnerOf, foreignLedger, refuseToRun } from './foreign-ledger.ts'
import { findLedger, refuseTeamLedger } from './ledger-place.ts'
import { besideTeam, teamAddress, teamLedgerAsked } from './team-ledger.ts'
import { UserError } from '../../service/user-error.ts'

/** Opens the ledger that `--db`, the environment or custom name; one that cannot be written to, for reading. */
export function openLedger(system: System, given: string | undefined): Ledger {
  // What the environment names too: the numbers of workflows that a team shows are not those of this machine.
  if (teamLedgerAsked(given) !== undefined) refuseTeamLedger()
  const override = wholePath(given)
  takeOwnersRights(override)
  refuseNowhere(override)
  return openLedgerAt(system, findLedger(system, override, { quiet: false }), tell)
}

/** A ledger that a server keeps open. */
export interface LedgerToServe {
  /** Beside this file is what belongs to the server itself, such as tokens. It is the ledger, where that is a file. */
  readonly path: string
  /** The team's ledger, where that is meant. */
  readonly team: string | undefined
}

/** One that is named must be there. */
export async function ledgerToServe(
  system: System,
  given: string | undefined,
): Promise<LedgerToServe> {
  const named = teamLedgerAsked(given)
  if (named !== undefined) {
    const team = await teamAddress(system, named)
    return { path: besideTeam(system, team), team }
  }
  const override = wholePath(given)
  takeOwnersRights(override)
  refuseNowhere(override)
  return { path: findLedger(system, override, { quiet: false }), team: undefined }
}

/** Beside which file a server keeps what is its own. */
export async function serverPlace(system: System, given: string | undefined): Promise<string> {
  const team = teamLedgerAsked(given)
  return team === undefined
    ? findLedger(system, given, { quiet: false })
    : besideTeam(system, await teamAddress(system, team))
}

/** Who looks into one that he names expects it to be there: a new one would hide that he mistyped it. */
function refuseNowhere(override: string | undefined): void {
  if (override !== undefined && isNowhere(override))
    throw new UserError(
      `there is no ledger at ${override}. jobmeter doctor shows where the default one is`,
    )
}

/** The same for who has something to put into it. */
export function openLedgerOrMake(system: System, given: string | undefined): Ledger {
  const override = wholePath(given)
  takeOwnersRights(override)
  return openLedgerAt(system, findLedger(system, override, { quiet: false }), tell)
}

/** Who has given up rights may not be able to go by the folder that he is in. */
const wholePath = (path: string | undefined): string | undefined =>
  path === undefined || isTeamLedger(path) ? path : resolve(path)

function takeOwnersRights(override: string | undefined): void {
  const foreign = foreignLedger(override)
  if (foreign !== undefined) becomeOwnerOf(foreign)
}

/** Longer than anyone copies, checks or repairs a ledger. */
const patienceMilliseconds = 600_000

/** The same for who runs what is in it, has much to write, and waits for others who have the ledger locked. */
export function openLedgerPatiently(
  system: System,
  override: string | undefined,
  loudness: Loudness,
): Ledger {
  const foreign = foreignLedger(override)
  if (foreign !== undefined) refuseToRun(foreign)
  return openLedgerToWrite(system, findLedger(system, override, loudness), {
    onProblem: tell,
    lockWait: patience(loudness),
  })
}

interface Loudness {
  readonly quiet: boolean
}

/** Waits long, and says so. */
export const patience = ({ quiet }: Loudness): LockWait => ({
  milliseconds: patienceMilliseconds,
  onLong: () => {
    if (!quiet) tell('waiting for another process to unlock the ledger')
  },
})

function tell(problem: string): void {
  new Console().complain(problem)
}

/** The same for who only asks; of a team's ledger too. */
export function openReader(system: System, override: string | undefined): LedgerReader {
  const team = teamLedgerAsked(override)
  return team === undefined
    ? readerOf(openLedger(system, override))
    : teamReader(team, () => teamAddress(system, team), tell)
}
