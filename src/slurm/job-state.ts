/** How a job stands, as Slurm says. */
export interface SlurmJobState {
  /** The number of the job; that of an element of an array that has not started is the array's. */
  readonly id: string
  /** `12`, or of an element of an array `12_3`. */
  readonly name: string
  /** One word: `RUNNING`, `OUT_OF_MEMORY`. */
  readonly state: string
  /** Who cancelled it, by user id, where that is told. */
  readonly cancelledBy: string | null
  /** Of the batch script, where it has ended by itself. */
  readonly exitCode: number | null
  /** By which the batch script was ended, where it was. */
  readonly signal: number | null
  /** How often it was put back into the queue, where that is told. */
  readonly restarts: number | null
  /** Where it runs or ran. */
  readonly nodes: string
  /** Why it waits, in Slurm's own word, where that is told: `Priority`, `PartitionConfig`. */
  readonly reason?: string
}

/** States after which nothing of a job runs any more. */
const over = new Set([
  'BOOT_FAIL',
  'CANCELLED',
  'COMPLETED',
  'DEADLINE',
  'FAILED',
  'LAUNCH_FAILED',
  'NODE_FAIL',
  'OUT_OF_MEMORY',
  'PREEMPTED',
  'RECONFIG_FAIL',
  'REVOKED',
  'TIMEOUT',
])

export const isOver = ({ state }: Pick<SlurmJobState, 'state'>): boolean => over.has(state)

/** States in which a job waits for its turn. One that has run and is in one of them was put back. */
const waiting = new Set([
  'CONFIGURING',
  'PENDING',
  'REQUEUED',
  'REQUEUE_FED',
  'REQUEUE_HOLD',
  'SPECIAL_EXIT',
])

export const isWaiting = ({ state }: Pick<SlurmJobState, 'state'>): boolean => waiting.has(state)

/** Reasons that do not pass by themselves: somebody has to change the request, the limits or the partition, or release the job. */
const lasting =
  /^(Partition(Config|NodeLimit|TimeLimit|Inactive)|BadConstraints|Invalid(Account|QOS)|(Account|QOS)NotAllowed|JobHeld(User|Admin)|DependencyNeverSatisfied|\w+PerJob\w*)$/

/** Whether a job waits for something that will not come. */
export const waitsInVain = ({ reason = '', ...job }: SlurmJobState): boolean =>
  isWaiting(job) && lasting.test(reason)
