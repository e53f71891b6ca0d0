/**
 * A job over time as its charts draw it: plain JSON in columns, which the server answers as it is and a report page holds.
 * Times are seconds since the job started. Values are as the exported series have them, under the same names; null is a gap.
 */
export interface JobChartData {
  readonly task_id: string
  readonly name: string
  /** Seconds since 1970. */
  readonly started_at: number
  /** null while the job runs. */
  readonly duration_seconds: number | null
  /** The range that the charts cover: at least what was asked for, up to whole steps. */
  readonly from_seconds: number
  readonly to_seconds: number
  /** How many samples lie in the range. */
  readonly sample_count: number
  /** Whether every sample is there; else each step of time has its least and its greatest. */
  readonly is_whole: boolean
  /** From the top down. */
  readonly charts: readonly ChartData[]
  /** Charts that are left out, and why. */
  readonly absent: readonly AbsentChart[]
  readonly phases: readonly ChartPhase[]
  readonly marks: readonly ChartMark[]
}

/** One chart: its series have a value, or null, for each of its times. Each chart has times of its own. */
export interface ChartData {
  /** Unique among the charts, and the same in each answer: `cpu`, `memory`, `gpu_0`. */
  readonly id: string
  readonly title: string
  readonly times: readonly number[]
  readonly series: readonly ChartSeries[]
  /** What was asked for, and what was allowed. */
  readonly lines: readonly ChartLine[]
}

/**
 * `core_percent`: 100 is one core, shown as cores. `percent`: of what the series is a share of. `number`: of what has parts,
 * as a load has; `count`: of what has none.
 */
export type ChartUnit =
  | 'core_percent'
  | 'percent'
  | 'bytes'
  | 'bytes_per_second'
  | 'count'
  | 'number'
  | 'watts'

export interface ChartSeries {
  /** The column, unique among all charts: rows of live samples call it so too. */
  readonly name: string
  readonly label: string
  readonly unit: ChartUnit
  readonly values: readonly (number | null)[]
  /** Where it is drawn as a share in percent: of how much. Its figures are told in its own unit. */
  readonly share_of?: number
  /** Of all samples in the range, not only of those that are here. */
  readonly figures: SeriesFigures
  /** The highest that the record of the job has: samples may have missed it. */
  readonly recorded_peak?: number
  /** There where the true peak may have been higher still. */
  readonly recorded_peak_is_lower_bound?: true
}

/** null where nothing was measured. */
export interface SeriesFigures {
  readonly lowest: number | null
  /** Over time, not over samples. */
  readonly mean: number | null
  readonly highest: number | null
  readonly highest_at_seconds: number | null
}

export interface ChartLine {
  readonly kind: 'request' | 'limit'
  /** `requested`, `limit`, `memory of the card`. */
  readonly label: string
  readonly unit: ChartUnit
  readonly value: number
}

export interface AbsentChart {
  readonly id: string
  readonly title: string
  /** Such as `not measured: the kernel has no pressure files`. */
  readonly why: string
}

export interface ChartPhase {
  readonly from_seconds: number
  readonly to_seconds: number
  readonly label: string
  /** `marked`: its program said so. `seen`: worked out from the samples. */
  readonly origin: 'marked' | 'seen'
}

export interface ChartMark {
  readonly at_seconds: number
  readonly label: string
}

/**
 * Samples that were taken just now, in the order of their times: a row has a value, or null, for each of the columns,
 * `elapsed_seconds` among them. They take the place of all samples from the first of them on.
 */
export interface LiveRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (number | null)[])[]
}
