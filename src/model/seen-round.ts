/** What a job used in a stretch of time that the agent looked at: a round, five minutes or an hour. */
export interface SeenRound {
  /** When the stretch ended, in seconds since 1970. */
  readonly to: number
  /** How much of it was looked at. */
  readonly seconds: number
  readonly cpuSeconds: number | null
  readonly readBytes: number | null
  readonly writeBytes: number | null
  readonly gpuSeconds: number | null
  /** Means. */
  readonly memoryBytes: number | null
  readonly gpuMemoryBytes: number | null
  readonly memoryPeakBytes: number | null
  /**
   * What the whole host did in all of the stretch, and how much of it was looked at: more than of the job, if that was not
   * there all the time.
   */
  readonly nodeSeconds: number | null
  readonly nodeCpuSeconds: number | null
  readonly nodeMemoryBytes: number | null
}

/** How finely a job is still known. */
export interface SeenSeries {
  readonly kind: 'rounds' | 'five minutes' | 'hours'
  readonly rounds: readonly SeenRound[]
}
