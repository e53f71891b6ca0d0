import type { SeenJob } from './seen-job.ts'

/** A job, and what it used between two moments: the amounts are of that time alone. */
export type HistoryJob = Pick<
  SeenJob,
  | 'kind'
  | 'user'
  | 'account'
  | 'command'
  | 'startedAt'
  | 'firstSeen'
  | 'lastSeen'
  | 'seenSeconds'
  | 'gpus'
  | 'reservation'
  | 'cpuSeconds'
  | 'gpuSeconds'
  | 'memoryMeanBytes'
  | 'memoryPeakBytes'
> & {
  /** Whether it went on at the end of the time. */
  readonly isRunning: boolean
  /** In some hour cards did not tell how busy it kept them, or who used them: what is known of it is not all. */
  readonly isGpuUntold: boolean
}

/** The jobs that a host had in some days, and how much of that time it was looked at. */
export interface HostHistory {
  readonly host: string
  /** When it ends, in seconds since 1970. */
  readonly at: number
  readonly seenSeconds: number
  /** Means over the time that was looked at. */
  readonly cores: number | null
  readonly memoryBytes: number | null
  readonly gpus: number | null
  readonly jobs: readonly HistoryJob[]
}
