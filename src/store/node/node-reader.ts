import type { ExportQuery, StoredRound, UsageHour } from '../../model/node-export.ts'
import type { HostCurve, NodeWall } from '../../model/node-curve.ts'
import type { NodeState } from '../../model/node-state.ts'
import type { HostHistory } from '../../model/host-history.ts'
import type { SeenJob } from '../../model/seen-job.ts'
import type { SeenSeries } from '../../model/seen-round.ts'
import type { Boot, SeenStretch } from '../../model/seen-stretch.ts'
import type { HostExtent, Neighbours } from '../../model/observed.ts'
import type { JobPast } from '../../model/past-round.ts'
import type { UsageTable } from '../../model/node-usage.ts'
import type { Violation } from '../../model/violation.ts'
import type { Connection } from '../sqlite/connection.ts'
import { answerAtOnce, type Asking } from './asking.ts'
import { sqliteNodes } from './dialect.ts'
import { readHostHistory, type HistoryQuery } from './host-history.ts'
import { readHostCurve, type HostCurveQuery } from './host-curve.ts'
import { readJobs, readJobsAfter } from './job-list.ts'
import type { JobQuery } from './job-query.ts'
import { readJobSeries, type LivedJob } from './job-series.ts'
import type { Dictionary } from './names.ts'
import { storedRounds, usageHours } from './export-rows.ts'
import {
  readExtents,
  readHours,
  readNames,
  readNeighbours,
  readWasLooked,
} from './observed-query.ts'
import { readBoots, readStretches } from './stretches.ts'
import { readLivingPasts, readPastRounds, type PastQuery, type PastRounds } from './past-rounds.ts'
import { readStates, type StateQuery } from './state-query.ts'
import { readUsage, type UsageQuery } from './usage-query.ts'
import {
  readJudgedHosts,
  readViolations,
  type JudgedHost,
  type ViolationQuery,
} from './violation-query.ts'
import { readWall, type WallQuery } from './wall-query.ts'

const jobsAtOnce = 500

/** What takes the rounds of everybody, or comes piece by piece. */
type OfFile = 'pastRounds' | 'history' | 'livingPasts' | 'eachJob' | 'usageHours' | 'storedRounds'

/** What can be asked of anybody who answers for nodes (`node-questions.ts`). */
export type QuestionName = Exclude<keyof NodeReader, OfFile | 'path' | 'close'>

/** Asks the database of a node. */
export class NodeReader {
  readonly path: string
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.path = connection.path
    this.#connection = connection
  }

  jobs(query: JobQuery): SeenJob[] {
    return this.#ask(readJobs(sqliteNodes, query))
  }

  /** What it did over time. */
  series(job: LivedJob): SeenSeries {
    return this.#ask(readJobSeries(job))
  }

  /** How nodes were at their last round, and their peaks. */
  states(query: StateQuery): NodeState[] {
    return this.#ask(readStates(sqliteNodes, query))
  }

  usage(query: UsageQuery): UsageTable {
    return this.#ask(readUsage(sqliteNodes, query))
  }

  /** Many hosts over the same steps of time. */
  wall(query: WallQuery): NodeWall {
    return this.#ask(readWall(sqliteNodes, query))
  }

  /** One host over time. */
  hostCurve(query: HostCurveQuery): HostCurve {
    return this.#ask(readHostCurve(query))
  }

  /** When hosts were looked at, host by host; each stretch is without a hole. One host is told much faster than all. */
  stretches(fromSeconds: number, toSeconds: number, host?: string): SeenStretch[] {
    return this.#ask(readStretches(sqliteNodes, fromSeconds, toSeconds, host))
  }

  boots(): Boot[] {
    return this.#ask(readBoots())
  }

  /** Of each host that was ever looked at. */
  extents(): HostExtent[] {
    return this.#ask(readExtents())
  }

  /** From when to when there is anything at all. */
  hours(): { from: number; to: number } | undefined {
    return this.#ask(readHours())
  }

  neighbours(fromSeconds: number, toSeconds: number, hosts: readonly string[]): Neighbours {
    return this.#ask(readNeighbours(fromSeconds, toSeconds, hosts))
  }

  /** Whether any of these hosts was, or any at all if none is named. */
  wasLooked(fromSeconds: number, toSeconds: number, hosts: readonly string[]): boolean {
    return this.#ask(readWasLooked(sqliteNodes, fromSeconds, toSeconds, hosts))
  }

  /** All that were ever seen. */
  names(dictionary: Dictionary): string[] {
    return this.#ask(readNames(dictionary))
  }

  /** What policies found; what was seen last first. */
  violations(query: ViolationQuery): Violation[] {
    return this.#ask(readViolations(query))
  }

  /** Which hosts were judged by policies, and by which of these they could not be. */
  judgedHosts(): JudgedHost[] {
    return this.#ask(readJudgedHosts())
  }

  /** The rounds of one host again, as fine as they are still kept. */
  pastRounds(query: PastQuery): PastRounds | undefined {
    return readPastRounds(this.#connection, query)
  }

  /** What the jobs of one host did between two moments. */
  history(query: HistoryQuery): HostHistory {
    return readHostHistory(this.#connection, query)
  }

  /** What the jobs did so far that the last round of a host saw, by `pastKey`. */
  livingPasts(host: string): ReadonlyMap<string, JobPast> {
    return readLivingPasts(this.#connection, host)
  }

  /** All of them, in the order in which they were first seen, some at a time. */
  *eachJob(query: JobQuery): Generator<SeenJob> {
    for (let last = 0, isMore = true; isMore;) {
      const jobs = this.#ask(readJobsAfter(sqliteNodes, query, last, jobsAtOnce))
      yield* jobs
      isMore = jobs.length === jobsAtOnce
      last = jobs.at(-1)?.rowId ?? last
    }
  }

  usageHours(query: ExportQuery): Generator<UsageHour> {
    return usageHours(this.#connection, query)
  }

  storedRounds(query: ExportQuery): Generator<StoredRound> {
    return storedRounds(this.#connection, query)
  }

  close(): void {
    this.#connection.close()
  }

  #ask<T>(asking: Asking<T>): T {
    return answerAtOnce(this.#connection, asking)
  }
}
