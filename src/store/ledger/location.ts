import { isAbsolute, join } from 'node:path'

/**
 * Where the ledger is: `--db`, else `JOBMETER_DB`, else the XDG state directory. An empty value
 * counts as none, and so does a relative `XDG_STATE_HOME`: the XDG specification asks for that, and
 * a ledger that moves with the working directory would lose its history.
 */
export function ledgerPath(
  environment: Readonly<Record<string, string | undefined>>,
  override: string | undefined,
  homeDirectory: string,
): string {
  if (override) return override
  if (environment['JOBMETER_DB']) return environment['JOBMETER_DB']
  const state = environment['XDG_STATE_HOME']
  const base = state && isAbsolute(state) ? state : join(homeDirectory, '.local', 'state')
  return join(base, 'jobmeter', 'ledger.db')
}
