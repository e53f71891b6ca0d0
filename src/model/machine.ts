/** The machine a job ran on, as far as it matters to read the job's figures. */
export interface Machine {
  readonly host: string
  readonly cores: number
  readonly memoryBytes: number | null
}

/** The process that looks after an attempt. Pid and start time together never name another process. */
export interface Owner {
  readonly host: string
  readonly bootId: string
  readonly pid: number
  readonly startTicks: number
}
