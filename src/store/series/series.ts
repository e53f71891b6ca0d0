import type {
  Columns,
  DeviceRows,
  DeviceSeries,
  Series,
  SeriesColumns,
} from '../../model/series.ts'

/**
 * The one way to the samples of an attempt, wherever they are kept: in the ledger, in a file of the spool or in a run's
 * series file. All three pass `test/contracts/series.ts`. What is kept are raw counters and gauges, by name; NaN stands for
 * "not measured".
 */
export interface SeriesWriter {
  /**
   * Keeps `count` rows, of as many numbers each as the writer has columns. `timestamp` and `elapsed_seconds` are among
   * them, and measured in every row.
   */
  add(rows: Float64Array, count: number): void
  /** Keeps rows of a device of the attempt; the same holds for its columns. */
  addDevice(rows: DeviceRows): void
}

export interface SeriesReader {
  /** The columns that this build knows, in its order, and after them all others of which there is a figure. */
  columns(): Columns
  /** Rows in order of time. */
  read(query?: SeriesQuery): Series
  /** The same column by column, for a series of any length: no row is ever made. `columns` must have `elapsed_seconds`. */
  readColumns(columns: Columns, range?: TimeRange): SeriesColumns
  /** Devices in the order in which they were first written, each with its rows in order of time. */
  devices(range?: TimeRange): readonly DeviceSeries[]
}

/** By `elapsed_seconds`, both ends included. */
export interface TimeRange {
  readonly fromSeconds?: number
  readonly toSeconds?: number
}

export interface SeriesQuery extends TimeRange {
  /** Just these, in this order; else all, as `columns` answers them. */
  readonly columns?: Columns
  /** At most so many: the latest, of what was written in order of time. */
  readonly newest?: number
}
