import { isTeamLedger, teamWord } from '../../store/ledger/location.ts'
import type { Console } from '../terminal/console.ts'
import type { WarmUp } from '../run/warm-up.ts'

/** Runs a workflow whose jobs go through the queue. `--db` may name the team, and does not reach the ledger then. */
export async function execute(
  argv: readonly string[],
  console: Console,
  warmUp?: WarmUp,
): Promise<number> {
  const at = argv.findIndex((word) => word === '--db' || word.startsWith('--db='))
  const own = argv[at]?.startsWith('--db=') === true
  const address = own ? argv[at]?.slice('--db='.length) : argv[at + 1]
  const namesTeam = at >= 0 && address !== undefined && isTeamLedger(address)
  if (namesTeam && address !== teamWord) process.env['JOBMETER_TEAM'] = address
  const rest = namesTeam ? argv.toSpliced(at, own ? 1 : 2) : argv
  const { execute: run } = await import('../run/run-spec.ts')
  return run(['--executor', 'queue', ...rest], console, warmUp, 'submit')
}
