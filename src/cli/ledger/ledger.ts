import { resolve } from 'node:path'
import { openLedgerAt, openLedgerToWrite } from '../../record/open-ledger.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import type { LockWait } from '../../store/sqlite/lock-wait.ts'
import { isNowhere } from '../../store/spool/spool-directory.ts'
import { readerOf, type LedgerReader } from '../../store/ledger/ledger-reader.ts'
import type { System } from '../../system/system.ts'
import { Console } from '../terminal/console.ts'
import { becomeOwnerOf, foreignLedger, refuseToRun } from './foreign-ledger.ts'
import { findLedger } from './ledger-place.ts'
import { UserError } from '../../service/user-error.ts'

/** Opens the ledger that `--db`, the environment or custom name; one that cannot be written to, for reading. */
export function openLedger(system: System, given: string | undefined): Ledger {
  const override = wholePath(given)
  takeOwnersRights(override)
  // Who looks into one that he names expects it to be there: a new one would hide that he mistyped it.
  if (override !== undefined && isNowhere(override))
    throw new UserError(
      `there is no ledger at ${override}. jobmeter doctor shows where the default one is`,
    )
  return openLedgerAt(system, findLedger(system, override, { quiet: false }), tell)
}

/** The same for who has something to put into it. */
export function openLedgerOrMake(system: System, given: string | undefined): Ledger {
  const override = wholePath(given)
  takeOwnersRights(override)
  return openLedgerAt(system, findLedger(system, override, { quiet: false }), tell)
}

/** Who has given up rights may not be able to go by the folder that he is in. */
const wholePath = (path: string | undefined): string | undefined =>
  path === undefined ? undefined : resolve(path)

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

/** The same for who only asks. */
export function openReader(system: System, override: string | undefined): LedgerReader {
  return readerOf(openLedger(system, override))
}
