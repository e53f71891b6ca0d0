import type { Columns, DeviceRows } from '../model/series.ts'
import { StoreError } from '../store/errors.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import type { LifeSign } from '../store/spool/life-sign.ts'
import type { AttemptEnd, AttemptRef } from '../store/ledger/store.ts'
import { sampleNames } from '../model/sample.ts'
import type { SeriesWriter } from '../store/series/series.ts'
import type { RowsBefore } from '../store/spool/spool-lines.ts'

/** While it runs a job must not wait for others who have the ledger locked: whoever watches it would be late. */
const lockWait = { milliseconds: 50 }

/** Of samples that could not be written yet: 10 MB. */
const mostRowsLeft = 50_000

/** An attempt that is told to the ledger itself. What does not get in just now is held back and tried again. */
export class OpenedAttempt implements SeriesWriter {
  readonly ref: AttemptRef
  readonly #ledger: Ledger
  readonly #columns: Columns
  readonly #writer: SeriesWriter
  #rowsLeft: Float64Array[] = []
  #devicesLeft: DeviceRows[] = []
  #kept: RowsBefore
  #sign: LifeSign | undefined

  constructor(ledger: Ledger, ref: AttemptRef, columns: Columns = sampleNames) {
    this.#ledger = ledger
    this.ref = ref
    this.#columns = columns
    this.#writer = ledger.jobs.writer(ref, columns)
    const series = ledger.jobs.series(ref.taskId)
    this.#kept = {
      samples: series.read().rows.length,
      deviceRows: series.devices().reduce((sum, { rows }) => sum + rows.length, 0),
    }
    ledger.waitForLocks(lockWait)
  }

  /** From now on others see by this that its owner lives. */
  livesBy(sign: LifeSign): void {
    this.#sign = sign
  }

  beat(wallSeconds: number): void {
    this.#sign?.beat(wallSeconds)
  }

  /** To be called when how it ended is written down. */
  dropSign(): void {
    this.#sign?.remove()
  }

  /** How many rows are in the ledger. */
  get kept(): RowsBefore {
    return this.#kept
  }

  /** Throws only what was lost for good. */
  add(rows: Float64Array, count: number): void {
    const width = this.#columns.length
    for (let row = 0; row < count; row++)
      this.#rowsLeft.push(rows.slice(row * width, (row + 1) * width))
    this.#tryToWrite()
  }

  /** The same. */
  addDevice({ rows, ...device }: DeviceRows): void {
    this.#devicesLeft.push({ ...device, rows: rows.slice(0, device.count * device.columns.length) })
    this.#tryToWrite()
  }

  /** Gives what is not in the ledger to another. */
  passOn(to: SeriesWriter): void {
    for (const row of this.#rowsLeft) to.add(row, 1)
    for (const rows of this.#devicesLeft) to.addDevice(rows)
  }

  /** Answers why the end is not in the ledger, where it is not. */
  finish(end: AttemptEnd): unknown {
    try {
      this.#writeRows()
      this.#ledger.jobs.finish(this.ref, end)
      return this.#ledger.isInPlace() ? undefined : this.#takeBack()
    } catch (error) {
      return error
    } finally {
      this.#ledger.close()
    }
  }

  /** What was written went to a file that nobody will find. */
  #takeBack(): StoreError {
    const series = this.#ledger.jobs.series(this.ref.taskId)
    this.#rowsLeft = [...series.read({ columns: this.#columns }).rows]
    this.#devicesLeft = series
      .devices()
      .flatMap(({ rows, ...device }) => rows.map((row) => ({ ...device, rows: row, count: 1 })))
    this.#kept = { samples: 0, deviceRows: 0 }
    return new StoreError('unreadable', this.#ledger.path, 'it was removed while the job ran')
  }

  #tryToWrite(): void {
    try {
      this.#writeRows()
    } catch (error) {
      if (this.#rowsLeft.length + this.#devicesLeft.length <= mostRowsLeft) return
      this.#rowsLeft = []
      this.#devicesLeft = []
      throw error
    }
  }

  #writeRows(): void {
    const count = this.#rowsLeft.length
    const rows = new Float64Array(count * this.#columns.length)
    this.#rowsLeft.forEach((row, index) => rows.set(row, index * this.#columns.length))
    this.#writer.add(rows, count)
    this.#kept = { ...this.#kept, samples: this.#kept.samples + count }
    this.#rowsLeft = []
    if (this.#devicesLeft.length > 0) this.#writeDevices()
  }

  #writeDevices(): void {
    const devices = this.#devicesLeft
    this.#ledger.batch(() => {
      for (const rows of devices) this.#writer.addDevice(rows)
    })
    const count = devices.reduce((sum, rows) => sum + rows.count, 0)
    this.#kept = { ...this.#kept, deviceRows: this.#kept.deviceRows + count }
    this.#devicesLeft = []
  }
}
