import type { Columns } from '../model/series.ts'
import type { LaunchResult } from '../launch/request.ts'
import type { DeviceSink } from '../meter/job-devices.ts'
import type { SampleSink } from '../meter/sample-buffer.ts'
import type { TryLock } from '../model/file-lock.ts'
import type { Job } from '../model/job.ts'
import type { AttemptRecord } from '../model/record.ts'
import { endedRecord, endOf, newAttempt } from '../store/ledger/attempt-record.ts'
import { StoreError } from '../store/errors.ts'
import { isOnNetwork } from '../store/network-disk.ts'
import { SpoolFile } from '../store/spool/spool-file.ts'
import { looksUsable } from '../store/ledger/ledger-marks.ts'
import type { SeriesWriter } from '../store/series/series.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import type { LockWait } from '../store/sqlite/lock-wait.ts'
import type { AttemptEnd, AttemptRef, AttemptStart } from '../store/ledger/store.ts'
import type { System } from '../system/system.ts'
import type { AttemptSeriesFile } from './attempt-series-file.ts'
import { beatSeconds, every } from './heartbeat.ts'
import { Losses } from './losses.ts'
import type { OpenedAttempt } from './opened-attempt.ts'
import { ourselves } from './owner.ts'
import { isTurnToTidy } from './tidy-turn.ts'

interface Circumstances {
  readonly machineMemoryBytes: number | null
  /** null where the job is not watched. */
  readonly intervalSeconds: number | null
  /** What samples have, where that is not what this build knows. */
  readonly columns?: Columns
  /** Whether nothing else in this process has the ledger open: only then may its first bytes be read past SQLite. */
  readonly alone: boolean
  /** 32 hexadecimal digits that nobody else has, where somebody knows the attempt by them already. */
  readonly taskId?: string
  /** Whose it is, where that is not who runs this program. */
  readonly user?: string
}

/**
 * A job that lasts so long does not mind the 10 ms that it takes to open the ledger, and its samples would make the file
 * long that everyone who looks must read.
 */
const longSeconds = 30
/** No job waits for others who have the ledger locked. */
const noWait: LockWait = { milliseconds: 0 }

/**
 * Writes one attempt down while it runs: first to the spool, for most commands are short and opening the ledger would
 * be a tenth of all they cost; then, if the job goes on, to the ledger. The job comes first: trouble with either is
 * kept to be told at the end, and the record goes where there is room for it.
 */
export class Recording {
  readonly #losses = new Losses()
  readonly #system: System
  readonly #ledger: string
  /** Whether there is something where the ledger should be that may not be one. */
  readonly #isDoubtful: boolean
  readonly #stopBeating: () => void
  /** For a job that is about to start: where it may write marks. */
  readonly marks: { readonly marksPath?: string }
  readonly #settings: { readonly tryLock: TryLock; readonly columns?: Columns }
  #spool: SpoolFile
  #stopWaiting: () => void = () => {}
  #opening: Promise<AttemptRef | undefined> | undefined
  #opened: OpenedAttempt | undefined
  #seriesFile: AttemptSeriesFile | undefined
  #finished = false

  /**
   * Begins whatever the ledger is like: who has a job to run wants it run. A program that measures has no other way to
   * hear that it named a file that is no ledger, and is told with an error.
   */
  static async begin(
    system: System,
    ledger: string,
    job: Job,
    circumstances: Circumstances,
  ): Promise<Recording> {
    if (circumstances.alone)
      return new Recording(system, ledger, job, circumstances, !looksUsable(ledger))
    await refuseOtherThanLedger(system, ledger)
    return Recording.beginAtOnce(system, ledger, job, circumstances)
  }

  /** For who has asked already whether that is a ledger, or hears of it at the end. */
  static beginAtOnce(
    system: System,
    ledger: string,
    job: Job,
    circumstances: Circumstances,
  ): Recording {
    return new Recording(system, ledger, job, circumstances, false)
  }

  private constructor(
    system: System,
    ledger: string,
    job: Job,
    { machineMemoryBytes, intervalSeconds, columns, taskId, user }: Circumstances,
    isDoubtful: boolean,
  ) {
    this.#system = system
    this.#ledger = ledger
    this.#isDoubtful = isDoubtful
    const starter = {
      host: user === undefined ? system.host : { user },
      randomId: () => taskId ?? system.randomId(),
    }
    const start = newAttempt(starter, {
      job,
      machine: {
        host: system.host.name,
        cores: system.host.cores,
        memoryBytes: machineMemoryBytes,
      },
      owner: ourselves(system),
      startedAt: system.clock.wallSeconds(),
      intervalSeconds,
    })
    this.#settings = {
      tryLock: system.files.tryLock,
      ...(columns === undefined ? {} : { columns }),
    }
    this.#spool = new SpoolFile(ledger, start, this.#settings)
    // Now: the record may have gone to the ledger before the job starts.
    const { marksPath } = this.#spool
    this.marks = marksPath === undefined ? {} : { marksPath }
    this.#stopBeating = every(system.clock, beatSeconds, () => this.#beat())
    this.#moveLater()
  }

  /** Writes the samples to a file of their own as well. */
  async alsoTo(outputDirectory: string): Promise<void> {
    const attempt = await this.inLedger()
    const { AttemptSeriesFile } = await import('./into-ledger.ts')
    this.#losses.try('no series file is written', () => {
      if (attempt === undefined)
        throw new Error('its name has a number that only the ledger assigns')
      this.#seriesFile = new AttemptSeriesFile(this.#system.files, outputDirectory, {
        ledger: this.#ledger,
        jobId: attempt.jobId,
        start: this.#start,
        columns: this.#settings.columns,
      })
    })
  }

  get #start(): AttemptStart {
    return this.#spool.start
  }

  /** What was not kept as it should be, for people to read. */
  get problems(): readonly string[] {
    return this.#losses.problems
  }

  get startedAt(): number {
    return this.#start.startedAt
  }

  get taskId(): string {
    return this.#start.taskId
  }

  readonly addSamples: SampleSink = (rows, count) =>
    this.#keepRows((writer) => writer.add(rows, count))

  /** Rows of what the job uses besides its processes, such as GPUs. */
  readonly addDevices: DeviceSink = (devices) =>
    this.#keepRows((writer) => {
      for (const rows of devices) writer.addDevice(rows)
    })

  #keepRows(add: (writer: SeriesWriter) => void): void {
    const opened = this.#opened
    this.#losses.try('some samples were not kept', () => add(opened ?? this.#spool))
    this.#losses.try('some samples are not in the series file', () => {
      if (opened !== undefined && this.#seriesFile !== undefined) add(this.#seriesFile.writer)
    })
  }

  finish(result: LaunchResult): AttemptRecord {
    this.#stopWaiting()
    this.#stopBeating()
    this.#finished = true
    const end = endOf(this.#start, result)
    if (result.markTrouble !== undefined)
      this.#losses.note('some marks of the job are not kept', result.markTrouble)
    this.#losses.try('the job is not recorded', () => this.#keepEnd(end))
    this.#losses.try('the series file was not finished', () => this.#seriesFile?.finish(end))
    return endedRecord(this.#start, end, {})
  }

  /**
   * Takes what waits in the spool into the ledger if it is our turn, for nobody may look into it for years; and if it is
   * free just now, for no job should wait for others. Not on a disk of many machines, where jobs end together and a lock
   * takes long: there only who looks opens the ledger. One that may not be a ledger at all is looked at each time.
   */
  async tidySpool(): Promise<void> {
    if (!isTurnToTidy(this.taskId) && !this.#isDoubtful) return
    if (this.#opening !== undefined || isOnNetwork(this.#ledger)) return
    try {
      const { openLedgerToWrite } = await import('./into-ledger.ts')
      openLedgerToWrite(this.#system, this.#ledger, { lockWait: noWait }).close()
    } catch (error) {
      // Where the record is in another place, the reason was told with that place.
      if (!isLocked(error) && this.#spool.trouble === undefined) this.#tellWhereItWaits(error)
    }
  }

  /** Brings the attempt into the ledger; the answer is its number there, or undefined where that failed. */
  inLedger(): Promise<AttemptRef | undefined> {
    this.#opening ??= this.#open({}, (error) => this.#tellWhereItWaits(error))
    return this.#opening
  }

  /** A job that lasts goes on in the ledger, unless others have it just then: then a while later. */
  #moveLater(): void {
    this.#stopWaiting = this.#system.clock.after(longSeconds, () => {
      if (this.#opening !== undefined || isOnNetwork(this.#ledger)) return
      this.#opening = this.#open({ lockWait: noWait }, (error) => {
        this.#opening = undefined
        if (!isLocked(error)) this.#tellWhereItWaits(error)
        else if (!this.#finished) this.#moveLater()
      })
    })
  }

  async #open(
    settings: { readonly lockWait?: LockWait },
    onFailure: (error: unknown) => void,
  ): Promise<AttemptRef | undefined> {
    let ledger: Ledger | undefined
    try {
      // Even the code may be out of reach by now: no file can be opened any more, or jobmeter was upgraded meanwhile.
      const { openLedgerToWrite, OpenedAttempt, LifeSign } = await import('./into-ledger.ts')
      // This takes our own file in too, as far as it is written.
      ledger = openLedgerToWrite(this.#system, this.#ledger, settings)
      const nothingMore = { rows: new Float64Array(), count: 0, end: null }
      const ref = ledger.jobs.adopt({ start: this.#start, ...nothingMore })
      if (this.#finished) ledger.close()
      else {
        const opened = new OpenedAttempt(ledger, ref, this.#settings.columns)
        const sign = this.#spool.handOver()
        if (sign !== undefined) opened.livesBy(new LifeSign(sign, this.#system.files.tryLock))
        this.#opened = opened
      }
      return ref
    } catch (error) {
      ledger?.close()
      onFailure(error)
      return undefined
    }
  }

  /** In the ledger if it is open and takes it, else in the spool. */
  #keepEnd(end: AttemptEnd): void {
    if (this.#opened === undefined) {
      this.#spool.finish(end)
      const { path, trouble } = this.#spool
      if (trouble !== undefined)
        this.#losses.note(
          `the record is in ${path}, where the next command that reads records finds it`,
          trouble,
        )
      return
    }
    const trouble = this.#opened.finish(end)
    if (trouble !== undefined) this.#backToSpool(this.#opened, end, trouble)
    this.#opened.dropSign()
  }

  #backToSpool(opened: OpenedAttempt, end: AttemptEnd, because: unknown): void {
    this.#spool = new SpoolFile(this.#ledger, this.#start, {
      ...this.#settings,
      before: opened.kept,
    })
    opened.passOn(this.#spool)
    this.#spool.finish(end)
    this.#tellWhereItWaits(because)
  }

  #tellWhereItWaits(error: unknown): void {
    this.#losses.note(`the record waits in ${this.#spool.path} until the ledger can be used`, error)
  }

  /** A sign that could not be given is no loss by itself: the next one may do. */
  #beat(): void {
    try {
      const now = this.#system.clock.wallSeconds()
      if (this.#opened === undefined) this.#spool.beat(now)
      else this.#opened.beat(now)
    } catch {
      // A full or lost disk is told where it costs something.
    }
  }
}

/** Throws where this file is certainly no ledger; trouble that may pass is nobody's mistake. */
export async function refuseOtherThanLedger(system: System, ledger: string): Promise<void> {
  const { openLedgerToWrite } = await import('./into-ledger.ts')
  try {
    openLedgerToWrite(system, ledger).close()
  } catch (error) {
    if (!(error instanceof StoreError) || !mayPass(error)) throw error
  }
}

const isLocked = (error: unknown): boolean => error instanceof StoreError && error.code === 'locked'

/** Trouble that is not about which file was named. */
const mayPass = ({ code }: StoreError): boolean =>
  code === 'locked' || code === 'full' || code === 'unreadable'
