import { shownAddress } from '../../store/ledger/team-address.ts'
import { signalNumber } from '../../system/signals.ts'
import type { System } from '../../system/system.ts'
import type { Console } from '../terminal/console.ts'

/** Who stops waiting for jobs, by Ctrl-C or SIGTERM, is told that they go on, and what can be done about them. */
export function sayHowToGoOn(
  { processes }: Pick<System, 'processes'>,
  ids: readonly string[],
  db: string | undefined,
  console: Console,
): void {
  const [only, another] = ids
  const isOne = another === undefined
  const id = isOne ? (only ?? '') : 'ID'
  const where = db === undefined ? '' : ` --db ${shownAddress(db)}`
  const what = isOne ? `job ${id} stays in the queue` : `${ids.length} jobs stay in the queue`
  const follow = `jobmeter logs --follow ${id}${where}`
  const ways = `To follow: ${follow}; to wait: jobmeter wait ${id}${where}; to end: jobmeter cancel ${id}${where}`
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    processes.onSignal(signal, () => {
      console.complain(`${what}, and run${isOne ? 's' : ''} whether or not anybody waits. ${ways}`)
      processes.exit(128 + signalNumber(signal))
    })
}
