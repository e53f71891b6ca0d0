import { isAbsolute, join } from 'node:path'

/** Names the ledger of the team that was joined; a file of that name is `./team`. */
export const teamWord = 'team'

export const isTeamAddress = (text: string): boolean => /^postgres(?:ql)?:\/\//.test(text)

/** Whether a ledger is a team's, in PostgreSQL, and not a file. */
export const isTeamLedger = (place: string | undefined): place is string =>
  place !== undefined && (place === teamWord || isTeamAddress(place))

/**
 * Where the ledger is: `--db`, else `JOBMETER_DB`, else the XDG state directory. An empty value
 * counts as none, and so does a relative `XDG_STATE_HOME`: the XDG specification asks for that, and
 * a ledger that moves with the working directory would lose its history. Where `JOBMETER_DB` names a
 * team's ledger, that is for questions: records are written on their own machine first.
 */
export function ledgerPath(
  environment: Readonly<Record<string, string | undefined>>,
  override: string | undefined,
  homeDirectory: string,
): string {
  if (override) return override
  const named = environment['JOBMETER_DB']
  if (named && !isTeamLedger(named)) return named
  const state = environment['XDG_STATE_HOME']
  const base = state && isAbsolute(state) ? state : join(homeDirectory, '.local', 'state')
  return join(base, 'jobmeter', 'ledger.db')
}
