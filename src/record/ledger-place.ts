import { StoreError } from '../store/errors.ts'
import { isTeamLedger, ledgerPath } from '../store/ledger/location.ts'
import { isForeignToRoot } from '../store/strangers.ts'
import type { System } from '../system/system.ts'

export interface LedgerPlace {
  readonly path: string
  /** Where it would be by `--db` and the environment, but for whose that is. */
  readonly passedOver: string | null
}

/**
 * Where the records of this user go, by `--db` and the environment. Root keeps its own where others could decide on what
 * happens to them: in the HOME of somebody else, as `sudo` may leave it, and in directories that others may write to.
 */
export function ledgerPlace(
  { host }: System,
  override: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): LedgerPlace {
  if (isTeamLedger(override))
    throw new StoreError('unreadable', 'a team ledger', 'it answers questions only; name a file')
  const { homeDirectory: home, accountHomeDirectory } = host
  const asked = ledgerPath(environment, override, home)
  if (!isForeignToRoot(asked)) return { path: asked, passedOver: null }
  const usual = [
    ledgerPath(environment, undefined, home),
    ledgerPath({ ...environment, JOBMETER_DB: undefined }, undefined, home),
  ]
  const own = usual.find((path) => !isForeignToRoot(path))
  return { path: own ?? ledgerPath({}, undefined, accountHomeDirectory), passedOver: asked }
}
