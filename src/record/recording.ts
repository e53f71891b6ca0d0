import type { LaunchResult } from '../launch/request.ts'
import type { Job } from '../model/job.ts'
import type { AttemptRecord } from '../model/record.ts'
import { StoreError } from '../store/errors.ts'
import type { LifeSign } from '../store/life-sign.ts'
import { isOnNetwork } from '../store/network-disk.ts'
import { SpoolFile } from '../store/spool/spool-file.ts'
import { looksUsable } from '../store/sqlite/ledger-marks.ts'
import type { SeriesFile } from '../store/sqlite/series-file.ts'
import type { AttemptRef, AttemptStart, Store } from '../store/store.ts'
import type { System } from '../system/system.ts'
import { beatSeconds, every } from './heartbeat.ts'
import { ourselves } from './owner.ts'

interface Circumstances {
  readonly machineMemoryBytes: number | null
  /** null where the job is not watched. */
  readonly intervalSeconds: number | null
  /** Whether nothing else in this process has the ledger open: only then may its first bytes be read past SQLite. */
  readonly alone: boolean
}

/**
 * A job that lasts so long does not mind the 10 ms that it takes to open the ledger, and its samples would make the file
 * long that everyone who looks must read.
 */
const longSeconds = 30
/** Of jobs that are shorter than that, one in so many takes all that waits in the spool into the ledger. */
const spoolShare = 32

interface Opened {
  readonly store: Store
  readonly attempt: AttemptRef
  readonly sign: LifeSign
}

/**
 * Writes one attempt down while it runs: first to the spool, for most commands are short and opening the ledger would
 * be a tenth of all they cost; then, if the job goes on, to the ledger. Once the job has started, trouble with either
 * must not touch it: it is kept to be told at the end.
 */
export class Recording {
  readonly problems: string[] = []
  readonly #system: System
  readonly #ledger: string
  readonly #start: AttemptStart
  readonly #spool: SpoolFile
  readonly #stopWaiting: () => void
  readonly #stopBeating: () => void
  #opening: Promise<AttemptRef | undefined> | undefined
  #opened: Opened | undefined
  #series: SeriesFile | undefined
  #finished = false

  /** Throws where the ledger cannot be used: better before the job than after it. */
  static async begin(
    system: System,
    ledger: string,
    job: Job,
    circumstances: Circumstances,
  ): Promise<Recording> {
    if (!circumstances.alone || !looksUsable(ledger)) {
      const { openLedger } = await import('./into-ledger.ts')
      openLedger(system, ledger).close()
    }
    return new Recording(system, ledger, job, circumstances)
  }

  private constructor(
    system: System,
    ledger: string,
    job: Job,
    { machineMemoryBytes, intervalSeconds }: Circumstances,
  ) {
    this.#system = system
    this.#ledger = ledger
    const start: AttemptStart = {
      job,
      taskId: system.randomId(),
      user: system.host.user,
      machine: {
        host: system.host.name,
        cores: system.host.cores,
        memoryBytes: machineMemoryBytes,
      },
      owner: ourselves(system),
      startedAt: system.clock.wallSeconds(),
      intervalSeconds,
    }
    this.#spool = new SpoolFile(ledger, start, system.files.tryLock)
    this.#start = this.#spool.start
    this.#stopBeating = every(system.clock, beatSeconds, () => this.#beat())
    this.#stopWaiting = system.clock.after(longSeconds, () => {
      if (!isOnNetwork(ledger)) void this.inLedger()
    })
  }

  /** Writes the samples to a file of their own as well: `run_id` is the attempt, `workflow_id` the job. */
  async alsoTo(outputDirectory: string): Promise<void> {
    const attempt = await this.inLedger()
    const { openSeriesFile, seriesPath } = await import('./into-ledger.ts')
    const { job, machine, taskId } = this.#start
    this.#try('no series file is written', () => {
      if (attempt === undefined)
        throw new Error('it is named by a number that only the ledger gives')
      const { jobId } = attempt
      const run = { host: machine.host, workflowId: jobId, runId: 1 }
      const series = openSeriesFile(seriesPath(outputDirectory, run))
      series.addJob({
        jobId,
        jobName: job.name,
        taskId,
        cores: machine.cores,
        requestedCpus: job.requirements.cpus,
        requestedMemoryBytes: job.requirements.memoryBytes,
        requestedRuntimeSeconds: job.requirements.runtimeSeconds,
      })
      this.#series = series
    })
  }

  get taskId(): string {
    return this.#start.taskId
  }

  readonly addSamples = (rows: Float64Array, count: number): void => {
    const opened = this.#opened
    this.#try('some samples were not kept', () =>
      opened === undefined
        ? this.#spool.addSamples(rows, count)
        : opened.store.addSamples(opened.attempt, rows, count),
    )
    this.#try('some samples are not in the series file', () => {
      if (opened !== undefined) this.#series?.addSamples(opened.attempt.jobId, 1, rows, count)
    })
  }

  finish(result: LaunchResult): AttemptRecord {
    this.#stopWaiting()
    this.#stopBeating()
    this.#finished = true
    const { outcome, usage, samples, durationSeconds } = result
    const endedAt = this.#system.clock.wallSeconds()
    const end = { endedAt, durationSeconds, outcome, usage, samples }
    const opened = this.#opened
    this.#try('the job is not in the ledger', () => {
      if (opened === undefined) {
        this.#spool.finish(end)
        return
      }
      opened.store.finish(opened.attempt, end)
      opened.store.close()
      opened.sign.remove()
    })
    this.#try('the series file was not closed', () => this.#series?.close())
    const { job, taskId, user, machine, owner, startedAt } = this.#start
    const facts = { taskId, user, machine, owner, startedAt }
    return { ...job, ...facts, endedAt, durationSeconds, ...outcome, usage, samples }
  }

  /**
   * Takes what waits in the spool into the ledger if it is our turn, for nobody may look into it for years; and if it is
   * free just now, for no job should wait for others. Not on a disk of many machines, where jobs end together and a lock
   * takes long: there only who looks opens the ledger.
   */
  async tidySpool(): Promise<void> {
    const isOurTurn = Number.parseInt(this.taskId.slice(0, 4), 16) % spoolShare === 0
    if (!isOurTurn || this.#opening !== undefined || isOnNetwork(this.#ledger)) return
    try {
      const { openLedger } = await import('./into-ledger.ts')
      openLedger(this.#system, this.#ledger, undefined, 0).close()
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'locked')
        this.#note('records wait in the spool until the ledger can be used', error)
    }
  }

  /** Brings the attempt into the ledger; the answer is its number there, or undefined where that failed. */
  inLedger(): Promise<AttemptRef | undefined> {
    this.#opening ??= this.#open()
    return this.#opening
  }

  async #open(): Promise<AttemptRef | undefined> {
    const loss = `the record waits in ${this.#spool.path} until the ledger can be used`
    let attempt: AttemptRef | undefined
    // Even the code may be out of reach by now: no file can be opened any more, or jobmeter was upgraded meanwhile.
    const code = await import('./into-ledger.ts').catch((error: unknown) => {
      this.#note(loss, error)
    })
    if (code === undefined) return undefined
    const { openLedger, LifeSign, signPath } = code
    this.#try(loss, () => {
      // This takes our own file in too, as far as it is written.
      const store = openLedger(this.#system, this.#ledger).jobs
      const nothingMore = { rows: new Float64Array(), count: 0, end: null }
      attempt = store.adopt({ start: this.#start, ...nothingMore })
      if (this.#finished) {
        store.close()
        return
      }
      const path = signPath(this.#ledger, this.taskId)
      const isLocked = this.#start.owner.sign?.isLocked === true
      const { tryLock } = this.#system.files
      const sign = new LifeSign(path, this.#spool.handOver(path), isLocked, tryLock)
      this.#opened = { store, attempt, sign }
    })
    return attempt
  }

  /** A sign that could not be given is no loss by itself: the next one may do. */
  #beat(): void {
    try {
      const now = this.#system.clock.wallSeconds()
      if (this.#opened === undefined) this.#spool.beat(now)
      else this.#opened.sign.beat(now)
    } catch {
      // A full or lost disk is told where it costs something.
    }
  }

  #try(loss: string, write: () => void): void {
    try {
      write()
    } catch (error) {
      this.#note(loss, error)
    }
  }

  #note(loss: string, error: unknown): void {
    const problem = `${loss}: ${error instanceof Error ? error.message : String(error)}`
    if (!this.problems.includes(problem)) this.problems.push(problem)
  }
}
