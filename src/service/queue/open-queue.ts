import { asTeamError } from '../../store/postgres/team-error.ts'
import { QueueError } from '../../store/postgres/queue/queue-error.ts'
import { TeamQueue } from '../../store/postgres/queue/team-queue.ts'
import type { System } from '../../system/system.ts'
import type { Environment } from '../config-path.ts'
import { isTeamLedger } from '../../store/ledger/location.ts'
import { shownAddress } from '../../store/ledger/team-address.ts'
import { joinedTeam } from '../team/team-config.ts'
import { UserError } from '../user-error.ts'

/** Where the queue of the team is: as somebody says (`--db`), as the environment does, or where the ledger has joined. */
export function queueAddress(
  system: System,
  environment: Environment,
  given: string | undefined,
  ledger: string,
): string {
  const said = given ?? environment['JOBMETER_TEAM']
  const address = said ?? joinedTeam(system, environment, ledger)
  if (address !== undefined && isTeamLedger(address)) return address
  throw new UserError(
    said === undefined
      ? 'which queue? Join a team (jobmeter team join postgres://HOST/DATABASE), or name its database with --db or $JOBMETER_TEAM'
      : 'the queue is in a database of PostgreSQL, such as --db postgres://HOST/DATABASE',
    'usage',
  )
}

/** Opens the queue for as long as something is done with it. What cannot be had is said in words that name no password. */
export async function withQueue<T>(
  address: string,
  work: (queue: TeamQueue) => Promise<T>,
): Promise<T> {
  const queue = await openQueue(address)
  try {
    return await telling(address, () => work(queue))
  } finally {
    await queue.close().catch(() => {})
  }
}

export function openQueue(address: string, silentSeconds?: number): Promise<TeamQueue> {
  return telling(address, () => TeamQueue.open(address, silentSeconds))
}

/** Does something with the queue, and says what went wrong. */
export async function telling<T>(address: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw inWords(address, error)
  }
}

/** What PostgreSQL or its driver reports has a code; anything else is ours. */
function inWords(address: string, error: unknown): unknown {
  if (error instanceof QueueError) return new UserError(error.message)
  if (error instanceof UserError || !(error instanceof Error)) return error
  const isTheirs = 'code' in error || /timeout|terminated|pg-?boss/i.test(error.message)
  if (!isTheirs) return error
  const told = asTeamError(error, address)
  if (told.code !== 'no-rights') return new UserError(told.message, 'machine')
  return new UserError(`${shownAddress(address)}: ${queueRights} (${error.message})`, 'machine')
}

const queueRights =
  'does not let this role do that. An administrator grants it jobmeter_writer to submit jobs, ' +
  'jobmeter_worker to run those of others, or jobmeter_reader to look; only administrators change the queue itself'
