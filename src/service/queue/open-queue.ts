import { asTeamError } from '../../store/postgres/team-error.ts'
import { QueueError } from '../../store/postgres/queue/queue-error.ts'
import { queueId } from '../../store/postgres/queue/queue-id.ts'
import { TeamQueue } from '../../store/postgres/queue/team-queue.ts'
import type { Clock, System } from '../../system/system.ts'
import type { Environment } from '../config-path.ts'
import type { QueueName } from '../../workflow/executors/queue/queue-handle.ts'
import { isTeamAddress, teamWord } from '../../store/ledger/location.ts'
import { shownAddress } from '../../store/ledger/team-address.ts'
import { meantTeam } from '../team/team-config.ts'
import { UserError } from '../user-error.ts'

/** Where the queue of the team is, or where somebody says with `--db`, where that names a queue: for `run` it names a ledger. */
export function queueAddress(
  system: System,
  environment: Environment,
  given: { readonly db: string | undefined } | 'no option',
  ledger: string,
): string {
  const db = given === 'no option' ? undefined : given.db
  const address = db === undefined || db === teamWord ? meantTeam(system, environment, ledger) : db
  if (address !== undefined && isTeamAddress(address)) return address
  const name = given === 'no option' ? '$JOBMETER_TEAM' : '--db or $JOBMETER_TEAM'
  throw new UserError(
    address === undefined
      ? `which queue? Join a team (jobmeter team join postgres://HOST/DATABASE), or name its database with ${name}`
      : `the queue is in a database of PostgreSQL, such as postgres://HOST/DATABASE, and not in what ${name} names`,
    'usage',
  )
}

/**
 * Opens the queue for as long as something is done with it. What cannot be had is said in words that name no password.
 * `silentSeconds`: a server that says nothing for so long is given up.
 */
export async function withQueue<T>(
  address: string,
  work: (queue: TeamQueue) => Promise<T>,
  silentSeconds?: number,
): Promise<T> {
  const queue = await openQueue(address, silentSeconds)
  try {
    return await telling(address, () => work(queue))
  } finally {
    await queue.close().catch(() => {})
  }
}

function openQueue(address: string, silentSeconds?: number): Promise<TeamQueue> {
  return telling(address, () => TeamQueue.open(address, silentSeconds))
}

/** The same for whoever can wait for the server to be there. */
export async function openQueueOnceThere(
  address: string,
  silentSeconds: number,
  { clock, note }: { readonly clock: Clock; readonly note: (message: string) => void },
): Promise<TeamQueue> {
  for (let tries = 0; ; tries++)
    try {
      return await TeamQueue.open(address, silentSeconds)
    } catch (error) {
      const told = asTeamError(error, address)
      if (told.code !== 'unreachable') throw inWords(address, error)
      if (tries === 0) note(`${told.message}; waits for it`)
      await new Promise<void>((resolve) => clock.after(tryAgainSeconds, resolve))
    }
}

const tryAgainSeconds = 1

/** Does something with the queue, and says what went wrong. */
export async function telling<T>(address: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw inWords(address, error)
  }
}

/** The same, with what tells it from every other queue. */
export async function openNamedQueue(
  address: string,
): Promise<{ readonly queue: TeamQueue; readonly name: QueueName }> {
  const queue = await openQueue(address)
  try {
    return { queue, name: { id: await queueId(queue.database), address: shownAddress(address) } }
  } catch (error) {
    await queue.close()
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
  'jobmeter_worker to run them, or jobmeter_reader to look; only administrators change the queue itself'
