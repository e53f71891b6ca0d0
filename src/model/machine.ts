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
  /** The namespace that the pid counts in, as the kernel names it; absent where the owner could not tell. */
  readonly pidNamespace?: string
  /** Absent in what older builds wrote. */
  readonly sign?: LifeSignName
}

/** A file beside the ledger by which others see that an owner lives, though they cannot see the process. */
export interface LifeSignName {
  readonly name: string
  /** Whether the owner holds a lock on it, which the kernel drops when the owner dies. */
  readonly isLocked: boolean
}
