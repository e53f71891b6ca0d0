import type { SampleRow } from './sample.ts'

/** What the numbers of a row are, by name and in their order. */
export type Columns = readonly string[]

/** The samples of an attempt over time. NaN stands for "not measured". */
export interface Series {
  readonly columns: Columns
  /** Where not just some columns were asked for, a row begins with those of `sampleColumns`. */
  readonly rows: readonly SampleRow[]
  /** How those columns were obtained that were not measured but worked out from others. */
  readonly basis: Readonly<Record<string, string>>
}

/** Something of which an attempt may use any number: a GPU, a container, a disk, a network interface, a thread. */
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

/** A device of an attempt over time. */
export interface DeviceSeries extends Device {
  /** `timestamp` and `elapsed_seconds`, then all others of which there is a figure. */
  readonly columns: Columns
  readonly rows: readonly Float64Array[]
}
