import { isTeamLedger } from '../../store/ledger/location.ts'
import { isForeignToRoot, strangersOn } from '../../store/strangers.ts'
import { becomeUser } from '../../system/become-user.ts'
import { Console } from '../terminal/console.ts'
import { UserError } from '../../service/user-error.ts'

/** The ledger that somebody else can change, where root was told to use one: by `--db`, or by the environment. */
export function foreignLedger(override: string | undefined): string | undefined {
  const named = override || process.env['JOBMETER_DB']
  return named && !isTeamLedger(named) && isForeignToRoot(named) ? named : undefined
}

/**
 * Root looks into somebody else's ledger as that user, from here on: their links, pipes and databases then lead to
 * nothing that they could not reach themselves.
 */
export function becomeOwnerOf(ledger: string): void {
  const { uids } = strangersOn(ledger)
  const [uid] = uids
  if (uid === undefined)
    throw new UserError(
      `${ledger} is in a directory that others can write to, so root does not use it. ` +
        'Copy it to a directory of your own, or name another file with --db',
    )
  if (uids.size > 1)
    throw new UserError(
      `${ledger} is under the control of several users (${[...uids].join(', ')}), so root does not use it. ` +
        `Run this as one of them (sudo -u '#${uid}' jobmeter …), or name another file with --db`,
    )
  try {
    becomeUser(uid)
  } catch {
    throw new UserError(
      `${ledger} belongs to user ${uid}, and root cannot become that user here (a container without CAP_SETUID?). ` +
        `Run this as that user, or name another file with --db`,
    )
  }
  new Console().complain(`${ledger} is used with the permissions of its owner, user ${uid}`)
}

/** What others can change would have root run what they like. */
export function refuseToRun(ledger: string): never {
  const [uid] = strangersOn(ledger).uids
  const asOwner =
    uid === undefined ? '' : `run this as its owner (sudo -u '#${uid}' jobmeter …), or `
  throw new UserError(
    `${ledger} can be changed by others, and root does not run workflows from such a ledger. ` +
      `To go on, ${asOwner}name another ledger with --db, in a directory that only root can write to`,
  )
}
