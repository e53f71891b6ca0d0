import type { SampleRow } from './sample.ts'

/**
 * The names of the numbers in a row, in order.
 *
 * @see Series
 */
export type Columns = readonly string[]

/**
 * The samples of an attempt over time. NaN stands for "not measured".
 *
 * @example
 * ```ts
 * import {
 *   measure,
 *   readLedger,
 *   type Columns,
 *   type Device,
 *   type DeviceSeries,
 *   type Series,
 * } from 'jobmeter'
 *
 * const { taskId } = await measure(['sleep', '0.2'], { intervalSeconds: 0.1 })
 * const ledger = readLedger()
 * const columns: Columns = ['elapsed_seconds', 'memory_bytes']
 * const series: Series = await ledger.jobs.series(taskId, { columns })
 * for (const [elapsedSeconds, memoryBytes] of series.rows) console.log(elapsedSeconds, memoryBytes)
 *
 * const nameOf = ({ kind, id }: Device): string => `${kind} ${id}`
 * const devices: readonly DeviceSeries[] = await ledger.jobs.devices(taskId)
 * for (const device of devices) console.log(nameOf(device), device.columns, device.rows.length)
 * await ledger.close()
 * ```
 */
export interface Series {
  readonly columns: Columns
  /** A row begins with the columns of `sampleColumns`, unless only some columns were asked for. */
  readonly rows: readonly SampleRow[]
  /** For columns that were not measured but derived from others: how they were obtained. */
  readonly basis: Readonly<Record<string, string>>
}

/**
 * Something that an attempt may use any number of: a GPU, a container, a disk, a network interface, a thread.
 *
 * @see Series
 */
export interface Device {
  /** Such as `gpu`. */
  readonly kind: string
  /** Unique among its kind on the machine. */
  readonly id: string
}

/** `count` rows of a device, with columns of its own: `timestamp` and `elapsed_seconds` are among them. */
export interface DeviceRows extends Device {
  readonly columns: Columns
  readonly rows: Float64Array
  readonly count: number
}

/**
 * The samples of a device that an attempt used, over time.
 *
 * @see Series
 */
export interface DeviceSeries extends Device {
  /** `timestamp` and `elapsed_seconds`, then all other columns that have a value. */
  readonly columns: Columns
  readonly rows: readonly Float64Array[]
}

/** The samples of an attempt column by column, in order of time. NaN stands for "not measured". */
export interface SeriesColumns {
  readonly columns: Columns
  /** Of each column, a figure of each sample. */
  readonly values: readonly Float64Array[]
}
