/**
 * The machine a job ran on, as far as it matters for understanding the job's figures.
 *
 * @example
 * ```ts
 * import { measure, type Machine, type Owner } from 'jobmeter'
 *
 * const record = await measure(['true'])
 * const machine: Machine = record.machine
 * const owner: Owner = record.owner
 * console.log(machine.host, machine.cores, owner.pid === process.pid) // … true
 * ```
 */
export interface Machine {
  readonly host: string
  readonly cores: number
  readonly memoryBytes: number | null
}

/**
 * The process that looks after an attempt. Pid and start time together identify it uniquely.
 *
 * @see Machine
 */
export interface Owner {
  readonly host: string
  readonly bootId: string
  readonly pid: number
  readonly startTicks: number
  /** The namespace of the pid, as the kernel names it; absent if the owner could not find out. */
  readonly pidNamespace?: string
  /** Absent in records of older builds. */
  readonly sign?: LifeSignName
}

/** A file beside the ledger that shows others that an owner is alive, even if they cannot see its process. */
export interface LifeSignName {
  readonly name: string
  /** Whether the owner holds a lock on it, which the kernel releases when the owner dies. */
  readonly isLocked: boolean
}
