import type { PgBoss } from 'pg-boss'
import type { QueueState, QueueSubmission } from '../../../model/queue.ts'
import { Database } from '../connection.ts'
import { refuseOtherVersion } from '../refuse-other-version.ts'
import { otherBoss } from './boss-version.ts'
import { openBoss } from './boss.ts'
import {
  exchange,
  keepLateEnds,
  type EndedAttempt,
  type ExchangeAnswer,
  type ExchangeRequest,
} from './exchange.ts'
import { cancelJob } from './jobs.ts'
import { keepLogs, type LogPiece } from './logs.ts'
import { arrivals, endings } from './news.ts'
import { refuseTooLarge } from './order-size.ts'
import { pruneQueue } from './prune.ts'
import { nameThere, submitJobs } from './submit.ts'
import {
  joinQueue,
  leaveQueue,
  reapWorkers,
  renewLease,
  tellTrouble,
  type WorkerFacts,
} from './workers.ts'

/** Who holds rows locked and says nothing for so long, stopped or cut off, loses them: others wait. */
const idleMilliseconds = 5_000
/**
 * Longer than the pause between two renewals of a lease: where the jobs of a worker leave it hardly any CPU time, a new
 * connection takes so many of its turns that the lease is over before.
 */
const keptMilliseconds = 60_000
/** Who looks for lost workers and stays silent may hold up what those have to tell; it is told later then. */
const lateMilliseconds = 500
/** A hundred thousand jobs may be submitted at once. */
const usualSilentSeconds = 120
const mostConnectingSeconds = 10

/** The queue of a team. */
export class TeamQueue {
  readonly database: Database
  /** With what proves who we are. */
  readonly address: string
  /** Only workers need it, and have the rights to use it. */
  #boss: Promise<PgBoss> | undefined

  private constructor(address: string, database: Database) {
    this.address = address
    this.database = database
  }

  /** `silentSeconds`: a server that says nothing for so long is given up. */
  static async open(address: string, silentSeconds = usualSilentSeconds): Promise<TeamQueue> {
    const database = new Database({
      connectionString: address,
      max: 4,
      idleTimeoutMillis: keptMilliseconds,
      idle_in_transaction_session_timeout: idleMilliseconds,
      query_timeout: 1000 * silentSeconds,
      connectionTimeoutMillis: 1000 * Math.min(silentSeconds, mostConnectingSeconds),
      keepAlive: true,
    })
    try {
      await refuseOtherVersion(database, address)
      const other = await otherBoss(database, address)
      if (other !== undefined) throw other
      return new TeamQueue(address, database)
    } catch (error) {
      await database.close()
      throw error
    }
  }

  async submit(submissions: readonly QueueSubmission[]): Promise<void> {
    refuseTooLarge(submissions)
    await submitJobs(this.database, submissions)
  }

  /** In whose name jobs are submitted over this connection by somebody who says that he is `claimed`. */
  nameFor(claimed: string): Promise<string> {
    return nameThere(this.database, claimed)
  }

  join(id: string, facts: WorkerFacts): Promise<void> {
    return joinQueue(this.database, id, facts)
  }

  /** False where the lease was lost. */
  renew(id: string): Promise<boolean> {
    return renewLease(this.database, id)
  }

  /** Why a worker takes nothing for the time being; null where it does. */
  tellTrouble(id: string, trouble: string | null): Promise<void> {
    return tellTrouble(this.database, id, trouble)
  }

  leave(id: string): Promise<void> {
    return leaveQueue(this.database, id)
  }

  async exchange(request: ExchangeRequest): Promise<ExchangeAnswer> {
    const boss = await this.#openBoss()
    return this.database.transaction((client, statements) =>
      exchange({ client, statements, boss }, request),
    )
  }

  /** Results of attempts whose lease is over; false where somebody holds them up just now. */
  async keepLate(workerId: string, ends: readonly EndedAttempt[]): Promise<boolean> {
    try {
      await this.database.transaction(async (_, statements) => {
        await statements.run(`SET LOCAL lock_timeout = ${lateMilliseconds}`)
        await keepLateEnds(statements, workerId, ends)
      })
      return true
    } catch (error) {
      if (isLockTimeout(error)) return false
      throw error
    }
  }

  keepLogs(pieces: readonly LogPiece[]): Promise<void> {
    return keepLogs(this.database, pieces)
  }

  /** Has jobs of lost workers run again, or told as interrupted; answers how many. */
  reap(): Promise<number> {
    return reapWorkers(this.database)
  }

  /** Ends and begins what somebody's lock, bad luck in time or sheer number has kept from it. */
  async mend(): Promise<void> {
    let followed = 1
    while (followed > 0) {
      const [row] = await this.database.rows('SELECT mend_queue() AS followed')
      followed = Number(row?.['followed'])
    }
  }

  /** Lets go of jobs that ended too long ago; answers how many. */
  prune(): Promise<number> {
    return pruneQueue(this.database)
  }

  /** The same `request` again is the same request; null: one more. False for a job that is over or not there. */
  cancel(id: string, request: number | null = null): Promise<boolean> {
    return cancelJob(this.database, id, request)
  }

  async setState(state: QueueState): Promise<void> {
    await this.database.run('UPDATE queue_state SET state = ?, changed_at = clock_timestamp()', [
      state,
    ])
    await this.database.run(`NOTIFY ${arrivals}`)
  }

  /** Calls when there may be something to take, and when it will not until it does so the next time. */
  onArrivals(heard: () => void, lost: () => void): () => void {
    return this.database.listen(arrivals, heard, lost)
  }

  /** Calls when jobs may be over. */
  onEndings(heard: () => void): () => void {
    return this.database.listen(endings, heard)
  }

  async close(): Promise<void> {
    const boss = await this.#boss?.catch(() => undefined)
    await boss?.stop({ graceful: false, close: false })
    await this.database.close()
  }

  #openBoss(): Promise<PgBoss> {
    this.#boss ??= openBoss(this.database).catch((error: unknown) => {
      this.#boss = undefined
      throw error
    })
    return this.#boss
  }
}

const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03'
