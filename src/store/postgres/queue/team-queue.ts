import type { PgBoss } from 'pg-boss'
import type { QueueState, QueueSubmission } from '../../../model/queue.ts'
import { Database } from '../connection.ts'
import { refuseOtherVersion } from '../refuse-other-version.ts'
import { openBoss } from './boss.ts'
import {
  exchange,
  keepEnds,
  type EndedAttempt,
  type ExchangeAnswer,
  type ExchangeRequest,
} from './exchange.ts'
import { endUntaken, requestCancel } from './jobs.ts'
import { keepLogs, type LogPiece } from './logs.ts'
import { pruneQueue } from './prune.ts'
import type { QueueTransaction } from './settle.ts'
import { arrivals, endings, nameThere, submitJobs } from './submit.ts'
import { joinQueue, leaveQueue, reapWorkers, renewLease, type WorkerFacts } from './workers.ts'

/** Who holds rows locked and says nothing for so long, stopped or cut off, loses them: others wait. */
const idleMilliseconds = 5_000
/**
 * Longer than the pause between two renewals of a lease: where the jobs of a worker leave it hardly any CPU time, a new
 * connection takes so many of its turns that the lease is over before.
 */
const keptMilliseconds = 60_000
/** A hundred thousand jobs may be submitted at once. */
const usualSilentSeconds = 120

/** The queue of a team. */
export class TeamQueue {
  readonly database: Database
  readonly #boss: PgBoss

  private constructor(database: Database, boss: PgBoss) {
    this.database = database
    this.#boss = boss
  }

  /** `silentSeconds`: a server that says nothing for so long is given up. */
  static async open(address: string, silentSeconds = usualSilentSeconds): Promise<TeamQueue> {
    const database = new Database({
      connectionString: address,
      max: 4,
      idleTimeoutMillis: keptMilliseconds,
      idle_in_transaction_session_timeout: idleMilliseconds,
      query_timeout: 1000 * silentSeconds,
      keepAlive: true,
    })
    try {
      await refuseOtherVersion(database, address)
      return new TeamQueue(database, await openBoss(database))
    } catch (error) {
      await database.close()
      throw error
    }
  }

  submit(submissions: readonly QueueSubmission[]): Promise<void> {
    return submitJobs(this.database, this.#boss, submissions)
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

  leave(id: string): Promise<void> {
    return leaveQueue(this.database, id)
  }

  exchange(request: ExchangeRequest): Promise<ExchangeAnswer> {
    return this.#transaction((transaction) => exchange(transaction, request))
  }

  /** Results of attempts whose lease is over. */
  async keepLate(workerId: string, ends: readonly EndedAttempt[]): Promise<void> {
    await this.#transaction((transaction) => keepEnds(transaction, workerId, ends))
  }

  keepLogs(pieces: readonly LogPiece[]): Promise<void> {
    return keepLogs(this.database, pieces)
  }

  /** Has jobs of lost workers run again, or told as interrupted; answers how many. */
  reap(): Promise<number> {
    return this.#transaction(reapWorkers)
  }

  /** Lets go of jobs that ended too long ago; answers how many. */
  prune(): Promise<number> {
    return pruneQueue(this.database)
  }

  /** The same `request` again is the same request; null: one more. False for a job that is over or not there. */
  async cancel(id: string, request: number | null = null): Promise<boolean> {
    const isOpen = await requestCancel(this.database, id, request)
    if (isOpen) await this.#transaction((transaction) => endUntaken(transaction, id))
    // Whoever has it looks at once.
    if (isOpen) await this.database.run(`NOTIFY ${arrivals}`)
    return isOpen
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
    await this.#boss.stop({ graceful: false, close: false })
    await this.database.close()
  }

  #transaction<T>(work: (transaction: QueueTransaction) => Promise<T>): Promise<T> {
    const boss = this.#boss
    return this.database.transaction((client, statements) => work({ client, statements, boss }))
  }
}
