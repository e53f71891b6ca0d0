import type { LaunchResult } from '../../launch/request.ts'
import type { DeviceSink } from '../../meter/job-devices.ts'
import type { SampleSink } from '../../meter/sample-buffer.ts'
import type { TryLock } from '../../model/file-lock.ts'
import type { Columns, DeviceRows } from '../../model/series.ts'
import { Losses } from '../../record/losses.ts'
import { OpenedAttempt } from '../../record/opened-attempt.ts'
import { endOf } from '../../store/ledger/attempt-record.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import type { AttemptEnd, AttemptRef, AttemptStart } from '../../store/ledger/store.ts'
import type { SeriesWriter } from '../../store/series/series.ts'
import { SpoolFile } from '../../store/spool/spool-file.ts'

/** The record of an attempt, from before it starts until it is over. */
export interface AttemptRecording {
  readonly startedAt: number
  /** What was not kept as it should be, for people to read. */
  readonly problems: readonly string[]
  readonly addSamples: SampleSink
  readonly addDevices: DeviceSink
  finish(result: LaunchResult): void
}

interface Beside {
  readonly columns: Columns
  readonly tryLock: TryLock
  /** There is an end to be written. */
  ends(attempt: AttemptInLedger): void
}

/** An attempt in a ledger that is kept open for many of them. */
export class AttemptInLedger implements AttemptRecording {
  readonly ledger: Ledger
  readonly #start: AttemptStart
  readonly #ref: AttemptRef
  readonly #beside: Beside
  readonly #losses = new Losses()
  /** What no transaction has written yet; of a short attempt that is all there is. */
  #rows: Float64Array[] = []
  #devices: DeviceRows[] = []
  /** For one that goes on. */
  #opened: OpenedAttempt | undefined
  #end: AttemptEnd | undefined

  /** In a transaction of whoever makes it. */
  constructor(ledger: Ledger, start: AttemptStart, beside: Beside) {
    this.ledger = ledger
    this.#start = start
    this.#beside = beside
    this.#ref = ledger.jobs.begin(start)
  }

  get startedAt(): number {
    return this.#start.startedAt
  }

  get problems(): readonly string[] {
    return this.#losses.problems
  }

  readonly addSamples: SampleSink = (rows, count) => {
    this.#rows.push(rows.slice(0, count * this.#beside.columns.length))
  }

  readonly addDevices: DeviceSink = (devices) => {
    for (const { rows, ...device } of devices)
      this.#devices.push({ ...device, rows: rows.slice(0, device.count * device.columns.length) })
  }

  finish(result: LaunchResult): void {
    this.#end = endOf(this.#start, result)
    if (result.markTrouble !== undefined)
      this.#losses.note('some marks of the job are not kept', result.markTrouble)
    this.#beside.ends(this)
  }

  /** Of one that goes on: writes the samples that it has so far. */
  writeSamples(): void {
    if (this.#rows.length + this.#devices.length === 0) return
    // It would close the ledger at its end, which others go on with.
    const ledger = { ...this.ledger, close: () => {} }
    this.#losses.try('some samples were not kept', () => {
      this.#opened ??= new OpenedAttempt(ledger, this.#ref, this.#beside.columns)
      this.#giveRows(this.#opened)
      this.#rows = []
      this.#devices = []
    })
  }

  /** Writes the end of one that has samples in the ledger. False for others, whose ends are written together. */
  endedAlone(): boolean {
    if (this.#opened === undefined || this.#end === undefined) return false
    this.writeSamples()
    if (this.#opened.finish(this.#end) !== undefined) this.#writeToFile(this.#end, this.#opened)
    return true
  }

  /** In a transaction of whoever asks, which may fail as a whole. */
  writeEnd(): void {
    if (this.#end === undefined) return
    if (this.#rows.length + this.#devices.length > 0)
      this.#giveRows(this.ledger.jobs.writer(this.#ref, this.#beside.columns))
    this.ledger.jobs.finish(this.#ref, this.#end)
  }

  /** The same where the ledger does not take it: whoever opens the ledger next finds it in a file of its own. */
  writeEndToFile(): void {
    if (this.#end !== undefined) this.#writeToFile(this.#end)
  }

  #writeToFile(end: AttemptEnd, opened?: OpenedAttempt): void {
    const { columns, tryLock } = this.#beside
    this.#losses.try('the job is not recorded', () => {
      const before = opened === undefined ? {} : { before: opened.kept }
      const settings = { columns, tryLock, ...before }
      const file = new SpoolFile(this.ledger.path, this.#start, settings)
      opened?.passOn(file)
      this.#giveRows(file)
      file.finish(end)
    })
  }

  #giveRows(to: SeriesWriter): void {
    for (const rows of this.#rows) to.add(rows, rows.length / this.#beside.columns.length)
    for (const rows of this.#devices) to.addDevice(rows)
  }
}
