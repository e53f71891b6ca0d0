/** One parameter of a matrix, with the values it takes, as they were written. */
export interface MatrixAxis {
  readonly name: string
  readonly values: readonly string[]
}

/** What a benchmark runs, and how often. */
export interface BenchmarkDefinition {
  readonly name: string
  /** As it was given: `{cpus}` stands for the value of a matrix parameter. */
  readonly command: readonly string[]
  readonly runs: number
  readonly warmup: number
  readonly matrix: readonly MatrixAxis[]
  readonly params: Readonly<Record<string, unknown>>
}

/** The value of each matrix parameter; none where there is no matrix. */
export type BenchmarkCell = Readonly<Record<string, string>>

/** One run of a benchmark, before or after it was made. */
export interface BenchmarkTurn {
  readonly cell: BenchmarkCell
  /** Counted from 1 in each cell; runs for warming up are counted by themselves. */
  readonly runNumber: number
  readonly isWarmUp: boolean
}

/** What is known of a benchmark without its runs. */
export interface BenchmarkHead {
  readonly id: number
  readonly definition: BenchmarkDefinition
  readonly startedAt: number
  /** Null while it runs, and where it was stopped or killed. */
  readonly endedAt: number | null
  /** The names it was saved under. */
  readonly baselines: readonly string[]
  /** Runs that were made, those for warming up included. */
  readonly runCount: number
}

/** `cpus=2 size=large`; empty where there is no matrix. */
export const cellLabel = (cell: BenchmarkCell): string =>
  Object.entries(cell)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
