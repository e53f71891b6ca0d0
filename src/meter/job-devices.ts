import type { Columns, Device, DeviceRows } from '../model/series.ts'
import { SampleBuffer } from './sample-buffer.ts'

/** Takes rows of several devices. The arrays, and the list, are reused after the call. */
export type DeviceSink = (devices: readonly DeviceRows[]) => void

const timeColumns: Columns = ['timestamp', 'elapsed_seconds']

/**
 * Rows of what a job uses besides its processes, of which there may be any number: GPUs, containers, disks, interfaces,
 * threads. They go out together, at most about twice a second, so that who keeps them writes once.
 */
export class JobDevices {
  readonly #recordedStart: number
  readonly #sink: DeviceSink
  readonly #open = new Set<JobDevice>()
  readonly #due: DeviceRows[] = []
  #gathers = false

  /** `recordedStart`: when the job started, in seconds since 1970. */
  constructor(recordedStart: number, sink: DeviceSink) {
    this.#recordedStart = recordedStart
    this.#sink = sink
  }

  /** A device that rows are to be written of. `columns` are its own: raw counters and gauges, by names with units. */
  open(device: Device, columns: Columns): JobDevice {
    const all = [...timeColumns, ...columns]
    const buffer = new SampleBuffer(
      (rows, count) => this.#take({ ...device, rows, count }, all),
      all,
    )
    const opened = new JobDevice(all.length, this.#recordedStart, buffer)
    this.#open.add(opened)
    return opened
  }

  /** Nothing more comes of it; what there is goes out. */
  close(device: JobDevice): void {
    device.flush()
    this.#open.delete(device)
  }

  /** Gives rows out that would grow too old until then. */
  handOnBefore(elapsedSeconds: number): void {
    if (this.#open.size > 0) this.#together(elapsedSeconds)
  }

  handOn(): void {
    if (this.#open.size > 0) this.#together(Infinity)
  }

  #together(elapsedSeconds: number): void {
    this.#gathers = true
    for (const device of this.#open) device.flushBefore(elapsedSeconds)
    this.#gathers = false
    this.#giveOut()
  }

  #take(rows: Omit<DeviceRows, 'columns'>, columns: Columns): void {
    this.#due.push({ ...rows, columns })
    if (!this.#gathers) this.#giveOut()
  }

  #giveOut(): void {
    if (this.#due.length === 0) return
    this.#sink(this.#due)
    this.#due.length = 0
  }
}

/** A device of a job. A gauge writes what it has seen into `values` and keeps that. */
export class JobDevice {
  /** Of its own columns, in their order; NaN where nothing was written since the last row was kept. */
  readonly values: Float64Array
  readonly #row: Float64Array
  readonly #recordedStart: number
  readonly #buffer: SampleBuffer

  constructor(width: number, recordedStart: number, buffer: SampleBuffer) {
    this.#row = new Float64Array(width).fill(NaN)
    this.values = this.#row.subarray(timeColumns.length)
    this.#recordedStart = recordedStart
    this.#buffer = buffer
  }

  /** Writes the row down, as of this moment. */
  keep(elapsedSeconds: number): void {
    this.#row[0] = this.#recordedStart + elapsedSeconds
    this.#row[1] = elapsedSeconds
    this.#buffer.add(this.#row, elapsedSeconds)
    this.#row.fill(NaN)
  }

  flushBefore(elapsedSeconds: number): void {
    this.#buffer.flushBefore(elapsedSeconds)
  }

  flush(): void {
    this.#buffer.flush()
  }
}
