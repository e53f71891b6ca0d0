import { jobStatistics, statisticsOf, type JobStatistics } from '../analysis/job/job-statistics.ts'
import type { AttemptStatus, OutcomeStatus } from '../model/outcome.ts'
import { taskTag } from '../model/task-tag.ts'
import { openLedgerAt } from '../record/open-ledger.ts'
import { refuseOtherThanLedger } from '../record/recording.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import type { RecordQuery } from '../store/ledger/store.ts'
import { JobBook } from './job-book.ts'
import { monitoredJob, type MonitoredJob } from './job-json.ts'
import { requestedJob, type JobRequest } from './job-request.ts'
import type { JobStatusDetails } from './job-status.ts'
import { JobTracker } from './job-tracker.ts'
import type { Logger } from './log-lines.ts'
import { MonitorError } from './monitor-error.ts'
import type { ThisProgram } from './programs.ts'
import { thisProgram } from './this-program.ts'
import { TrackedJob } from './tracked-job.ts'

/**
 * Every option has a sensible default.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { JobMonitor, type JobMonitorOptions, type Logger } from 'jobmeter'
 *
 * const lines: string[] = []
 * const keep = (line: string): void => void lines.push(line)
 * const logger: Logger = { info: keep, warn: keep, error: keep }
 * const options: JobMonitorOptions = { enableProfiling: false, logger }
 * await new JobMonitor(options).trackJob({ taskId: '1', tool: 'lammps' }, () => 'done')
 * assert.equal(lines[0], 'Starting job 1: tool=lammps, script=None, params={}')
 * assert.match(lines[1] ?? '', /^Job 1 completed successfully - Duration: /)
 * ```
 */
export interface JobMonitorOptions {
  /**
   * A folder for `jobs_history.jsonl`, in which each job that ends is a line. The history and the statistics of this
   * monitor are then those of the jobs of this folder; without it they are those of the whole ledger.
   */
  readonly logDir?: string
  /** Whether samples are taken and each job has a `detailed_profile`; true by default. */
  readonly enableProfiling?: boolean
  /** Time between samples; 0.5 by default. */
  readonly intervalSeconds?: number
  /** The ledger that keeps the records; by default the user's own. */
  readonly ledger?: string
  /** Hears of each job that starts and ends. Nothing is logged without it. */
  readonly logger?: Logger
  /** The program that the jobs run in; by default this one. */
  readonly pid?: number
}

/**
 * How a job that was begun with `startMonitoring` ended.
 *
 * @see JobRequest
 */
export interface JobEnd extends JobStatusDetails {
  readonly taskId: string
  /** `success` by default. */
  readonly status?: OutcomeStatus
}

/**
 * Which jobs of the history are wanted: those that match all that is given.
 *
 * @example
 * ```ts
 * import { getMonitor, type HistoryQuery, type MonitoredJob } from 'jobmeter'
 *
 * const lastFailures: HistoryQuery = { limit: 10, tool: 'lammps', status: 'failed' }
 * const jobs: MonitoredJob[] = await getMonitor().getJobHistory(lastFailures)
 * const large = jobs.filter((job) => (job.resource_usage.memory_peak_mb ?? 0) > 4000)
 * for (const job of large) console.log(job.task_id, job.error)
 * ```
 */
export interface HistoryQuery {
  /** How many, the newest first; all by default. */
  readonly limit?: number
  readonly tool?: string
  readonly status?: AttemptStatus
}

/** For those who run jobs in other ways and want them told in the same places. */
export let bookOf: (monitor: JobMonitor) => JobBook

/** The history job by job, for those who must not stand still while all of a long one is read. */
export let eachJob: (monitor: JobMonitor, query: HistoryQuery) => Generator<MonitoredJob, void>

/**
 * Monitors jobs inside this program: what the program and its children use between the start and the end of each. Where
 * jobs overlap, nobody can tell their parts apart: each has all of it, and the basis of its figures says so.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { JobMonitor } from 'jobmeter'
 *
 * const monitor = new JobMonitor({ logDir: 'logs' })
 * await monitor.startMonitoring({
 *   taskId: 'my-task-123',
 *   tool: 'fenicsx',
 *   script: 'poisson.py',
 *   params: { mesh_size: 64 },
 * })
 * // … the work …
 * const stats = await monitor.stopMonitoring({
 *   taskId: 'my-task-123',
 *   status: 'success',
 *   returncode: 0,
 * })
 * console.log(`Duration: ${stats.duration_seconds} s`)
 * console.log(`CPU time: ${stats.resource_usage.cpu_total_seconds} s`)
 *
 * const { by_tool: byTool } = await monitor.getSummaryStatistics()
 * assert.equal(byTool['fenicsx']?.count, 1)
 * ```
 */
export class JobMonitor {
  readonly #book: JobBook
  readonly #intervalSeconds: number | null
  readonly #program: ThisProgram
  readonly #monitored = new Map<string, JobTracker>()
  #checking: Promise<void> | undefined

  static {
    bookOf = (monitor) => monitor.#book
    eachJob = (monitor, query) => monitor.#history(query)
  }

  constructor(options: JobMonitorOptions = {}) {
    const { enableProfiling = true, intervalSeconds = 0.5 } = options
    if (!(intervalSeconds >= 0.01 && intervalSeconds < Infinity))
      throw new MonitorError('not-valid', 'intervalSeconds must be 0.01 or more, such as 0.5')
    this.#program = thisProgram(options.pid)
    this.#book = new JobBook(this.#program.system, options)
    this.#intervalSeconds = enableProfiling ? intervalSeconds : null
  }

  /** Begins to monitor a job, until `stopMonitoring` is called with its task id. */
  async startMonitoring(job: JobRequest & { readonly taskId: string }): Promise<void> {
    this.#refuseMonitored(job.taskId)
    await this.#checkLedger()
    this.#refuseMonitored(job.taskId)
    this.#monitored.set(job.taskId, this.#begin(job))
  }

  /** Ends the monitoring of a job, records how it ended, and answers what it used. */
  async stopMonitoring({ taskId, status = 'success', ...details }: JobEnd): Promise<MonitoredJob> {
    const tracker = this.#monitored.get(taskId)
    if (tracker === undefined)
      throw new MonitorError(
        'not-monitored',
        `no job "${taskId}" is being monitored (${this.#monitoredWords()}). Call startMonitoring first`,
      )
    tracker.setStatus(status, details)
    this.#monitored.delete(taskId)
    return tracker.end()
  }

  /** Monitors a job until the block ends that it is used in: `await using tracker = monitor.trackJob(…)`. */
  trackJob(job: JobRequest): JobTracker
  /**
   * Monitors a job while `work` runs, and answers what that answers. A job whose work throws has the status `error`, and
   * what was thrown is thrown on.
   */
  trackJob<T>(job: JobRequest, work: (tracker: JobTracker) => T | Promise<T>): Promise<Awaited<T>>
  trackJob<T>(
    job: JobRequest,
    work?: (tracker: JobTracker) => T | Promise<T>,
  ): JobTracker | Promise<Awaited<T>> {
    return work === undefined ? this.#begin(job) : this.#trackWork(job, work)
  }

  /** The jobs that were recorded, newest first. */
  async getJobHistory(query: HistoryQuery = {}): Promise<MonitoredJob[]> {
    return [...this.#history(query)]
  }

  /** The newest job with this task id, by the program or by the ledger; undefined if there is none. */
  async getJobStats(taskId: string): Promise<MonitoredJob | undefined> {
    return this.#ask(({ jobs }) => {
      const found = [
        ...jobs.find({ tag: taskTag(taskId) }),
        ...jobs.findByPrefix(taskId).filter((record) => record.taskId === taskId),
      ]
      const ofFolder = this.#book.folderTags
      const record = found.find(({ tags }) => ofFolder.every((tag) => tags.includes(tag)))
      return record === undefined ? undefined : monitoredJob(record)
    })
  }

  /** Totals over the recorded jobs, and by tool. */
  async getSummaryStatistics(): Promise<JobStatistics> {
    return this.#ask(({ jobs }) =>
      this.#book.folderTags.length === 0
        ? statisticsOf(jobs.tally())
        : jobStatistics(jobs.each(this.#scope, 'newest first')),
    )
  }

  *#history(query: HistoryQuery): Generator<MonitoredJob, void> {
    const { limit } = query
    if (limit !== undefined && !(Number.isInteger(limit) && limit > 0))
      throw new MonitorError('not-valid', `limit ${limit} must be a whole number of 1 or more`)
    const ledger = this.#open()
    try {
      for (const record of ledger.jobs.each({ ...this.#scope, ...query }, 'newest first'))
        yield monitoredJob(record)
    } finally {
      ledger.close()
    }
  }

  get #scope(): RecordQuery {
    const { folderTags } = this.#book
    return folderTags.length === 0 ? {} : { tag: folderTags }
  }

  #begin(request: JobRequest): JobTracker {
    const program = this.#program
    const taskId = request.taskId ?? program.system.randomId()
    const job = {
      ...requestedJob(request, [taskTag(taskId), ...this.#book.folderTags]),
      ...program.command,
    }
    const tracked = new TrackedJob(program, this.#book.ledger, job, this.#intervalSeconds)
    this.#book.started(taskId, job)
    return new JobTracker(taskId, tracked, this.#book)
  }

  async #trackWork<T>(
    job: JobRequest,
    work: (tracker: JobTracker) => T | Promise<T>,
  ): Promise<Awaited<T>> {
    await this.#checkLedger()
    await using tracker = this.#begin(job)
    try {
      return await work(tracker)
    } catch (error) {
      tracker.threw(error)
      throw error
    }
  }

  /** A program that named a file that is no ledger hears it before its job begins. Once is enough. */
  #checkLedger(): Promise<void> {
    this.#checking ??= refuseOtherThanLedger(this.#program.system, this.#book.ledger).catch(
      (error: unknown) => {
        this.#checking = undefined
        throw error
      },
    )
    return this.#checking
  }

  #refuseMonitored(taskId: string): void {
    if (this.#monitored.has(taskId))
      throw new MonitorError(
        'already-monitored',
        `job "${taskId}" is being monitored already. Call stopMonitoring first, or use another task id`,
      )
  }

  #monitoredWords(): string {
    const ids = [...this.#monitored.keys()]
    if (ids.length === 0) return 'none is'
    return `being monitored: ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ', …' : ''}`
  }

  #open(): Ledger {
    const complain = (problem: string): void => this.#book.complain(problem)
    return openLedgerAt(this.#program.system, this.#book.ledger, complain)
  }

  #ask<T>(question: (ledger: Ledger) => T): T {
    const ledger = this.#open()
    try {
      return question(ledger)
    } finally {
      ledger.close()
    }
  }
}
