import type { Amounts } from './node-round.ts'

/** Between when, and of whom, in seconds since 1970. */
export interface ExportQuery {
  readonly from: number
  readonly to: number
  readonly users: readonly string[]
  readonly hosts: readonly string[]
}

type Amount = { readonly [Name in keyof Amounts]: number | null }

/** What a user used of a command on a host in an hour. */
export interface UsageHour extends Amount {
  /** When the hour began. */
  readonly at: number
  readonly host: string
  readonly user: string
  readonly account: string | null
  readonly command: string
  readonly memoryByteSeconds: number | null
  readonly gpuMemoryByteSeconds: number | null
}

/** One round, as it is kept. */
export interface StoredRound extends Amount {
  readonly at: number
  readonly host: string
  /** Null where nobody told which boot of the host it was. */
  readonly epoch: string | null
  readonly seconds: number
  readonly cores: number | null
  readonly memoryBytes: number | null
  readonly memoryTotalBytes: number | null
  readonly gpus: number | null
  readonly gpuMemoryBytes: number | null
  readonly gpuMemoryTotalBytes: number | null
  readonly load: number | null
  readonly processes: number | null
  readonly threads: number | null
}

/** What a job used over its life. */
export interface JobSeries {
  /** How far apart the points are. */
  readonly stepSeconds: number
  readonly points: readonly {
    /** When the time that it stands for began. */
    readonly at: number
    readonly seconds: number
    readonly cpuSeconds: number | null
    readonly memoryBytes: number | null
  }[]
}
