import { ledgerPath } from '../store/location.ts'
import type { System } from '../system/system.ts'

export interface LedgerPlace {
  readonly path: string
  /** Where it would be by the environment, but for whose that is. */
  readonly passedOver: string | null
}

/**
 * Where the ledger is, by `--db` and the environment. Root with the HOME of somebody else, as `sudo` may leave it, keeps its
 * own: directories that root makes there would lock their owner out, and root would write wherever the owner's links lead.
 */
export function ledgerPlace(
  { files, host }: System,
  override: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): LedgerPlace {
  const path = ledgerPath(environment, override, host.homeDirectory)
  const isNamed = Boolean(override) || Boolean(environment['JOBMETER_DB'])
  if (isNamed || !files.isForeignToRoot(path)) return { path, passedOver: null }
  return { path: ledgerPath({}, undefined, host.accountHomeDirectory), passedOver: path }
}
