import { isForeignToRoot, strangersOn } from '../../store/strangers.ts'
import { becomeUser } from '../../system/become-user.ts'
import { Console } from '../terminal/console.ts'
import { UserError } from '../../service/user-error.ts'

/** The ledger that somebody else can change, where root was told to use one: by `--db`, or by the environment. */
export function foreignLedger(override: string | undefined): string | undefined {
  const named = override || process.env['JOBMETER_DB']
  return named && isForeignToRoot(named) ? named : undefined
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
      `${ledger} is in a folder that others may write to: root uses no ledger there. ` +
        'Copy it to a folder of your own, or give another with --db',
    )
  if (uids.size > 1)
    throw new UserError(
      `${ledger} is in the hands of several users (${[...uids].join(', ')}): root uses no such ledger. ` +
        `Use it as one of them (sudo -u '#${uid}' jobmeter …), or give another with --db`,
    )
  try {
    becomeUser(uid)
  } catch {
    throw new UserError(
      `${ledger} belongs to user ${uid}, whose rights root cannot take here (a container without CAP_SETUID?). ` +
        `Use it as that user, or give another with --db`,
    )
  }
  new Console().complain(`${ledger} is used with the rights of its owner, user ${uid}`)
}

/** What others can change would have root run what they like. */
export function refuseToRun(ledger: string): never {
  const [uid] = strangersOn(ledger).uids
  const asOwner =
    uid === undefined ? '' : `run it as their owner (sudo -u '#${uid}' jobmeter …), or `
  throw new UserError(
    `${ledger} is not root's alone: root runs no workflow out of a ledger that others can change. ` +
      `To go on, ${asOwner}give another ledger with --db, in a folder that only root can write to`,
  )
}
