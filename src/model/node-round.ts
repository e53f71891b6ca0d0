/** What a job of a node is taken to be, by what holds its processes together. */
export const jobKinds = [
  'slurm',
  'container',
  'unit',
  /** One that jobmeter started itself. */
  'attempt',
  /** A process group of a login session. */
  'session',
  /** What is small and short, by user and command. */
  'rolled-up',
  /** What the node's counters have and no process had: interrupts, processes that nobody saw. */
  'unattributed',
] as const
export type JobKind = (typeof jobKinds)[number]

/** What a job asked for; null is "not known". */
export interface Reservation {
  readonly cpus: number | null
  readonly memoryBytes: number | null
  readonly gpus: number | null
  readonly runtimeSeconds: number | null
  /** Who says so. */
  readonly source: 'slurm' | 'container' | 'jobmeter' | 'implied'
}

/**
 * Used since the round before, so that sums over jobs, hours and users are exact. Null is "not measured". In
 * `unattributed` they may be below 0: the kernel counts a node's time by ticks, and that of a process exactly.
 */
export interface Amounts {
  readonly cpuSeconds: number
  readonly readBytes: number | null
  readonly writeBytes: number | null
  readonly gpuSeconds: number | null
  readonly joules: number | null
  /** Processes that began and ended since the round before, and their CPU time; not known where nobody is told of ends. */
  readonly shortProcesses?: number | null
  readonly shortCpuSeconds?: number | null
}

/** As they were at the moment of the round. */
export interface Levels {
  readonly memoryBytes: number | null
  readonly gpuMemoryBytes: number | null
  readonly processes: number
  readonly threads: number
  /** Dead processes that nobody has waited for since the round before. */
  readonly zombies: number
}

export interface NodeJob extends Amounts, Levels {
  readonly kind: JobKind
  readonly id: string
  readonly user: string
  /** Their number, where it is known: a name may be learnt later. */
  readonly uid?: number
  /** Null where nothing tells of accounts. */
  readonly account: string | null
  readonly command: string
  /** Seconds since 1970. */
  readonly startedAt: number | null
  readonly reservation: Reservation | null
  /** Cards that it has processes on. */
  readonly gpus: number | null
  /** One of its processes, for `--pid`; null of what has none. */
  readonly pid: number | null
  /** What its scheduler calls it; left out where none says. */
  readonly scheduled?: Scheduled
}

/** How a scheduler tells of a job. */
export interface Scheduled {
  /** As its user named it. */
  readonly name: string | null
  /** As the scheduler writes its id, where that is not the plain number: `40_3` of an array, `50+1` of a het job. */
  readonly shownId: string | null
  /** How often it was put back into the queue and started again. */
  readonly restarts: number | null
}

/** What became known of a job after its last process had ended. */
export interface LateWord {
  readonly kind: JobKind
  readonly id: string
  readonly user: string
  readonly account: string | null
  readonly reservation: Reservation | null
  readonly scheduled: Scheduled
}

/** What the whole node did, by its own counters. */
export interface NodeUse extends Amounts, Levels {
  readonly cores: number
  readonly memoryTotalBytes: number | null
  readonly swapUsedBytes: number | null
  readonly gpus: number
  readonly gpuMemoryTotalBytes: number | null
  readonly load: number | null
  readonly ioWaitSeconds: number | null
  readonly netReceivedBytes: number | null
  readonly netSentBytes: number | null
  /** Busy seconds of each core. */
  readonly coreSeconds: readonly number[]
}

export const deviceKinds = ['disk', 'interface', 'gpu'] as const

/** What one device of the node did since the round before. Null is what it does not have, or does not tell. */
export interface NodeDevice {
  readonly kind: (typeof deviceKinds)[number]
  /** As the kernel calls it; GPUs by their number and name. */
  readonly name: string
  /** Read, or received; and written, or sent. */
  readonly inBytes: number | null
  readonly outBytes: number | null
  readonly busySeconds: number | null
  readonly joules: number | null
  readonly memoryBytes: number | null
}

/**
 * What one round of the sampler of a node saw. A job is known by its kind, its id, its user, its host and its epoch:
 * users may choose ids, and an id that comes again after a reboot is another job.
 */
export interface NodeRound {
  readonly host: string
  /** Tells one boot of the host from all others. */
  readonly epoch: string
  /** When it was taken, in seconds since 1970, and how much time it covers. */
  readonly at: number
  readonly seconds: number
  readonly node: NodeUse
  readonly jobs: readonly NodeJob[]
  /** Ends of processes that the kernel could not tell, because nobody read fast enough. */
  readonly lostRecords: number
  readonly devices?: readonly NodeDevice[]
  /** Of jobs that an earlier round had. */
  readonly late?: readonly LateWord[]
}
