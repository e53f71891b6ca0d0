import type { JobKind, Reservation, Scheduled } from './node-round.ts'

/** A job as it was seen on a node, with what it used in all the time that it was seen. */
export interface SeenJob {
  readonly rowId: number
  readonly host: string
  readonly epoch: string
  readonly kind: JobKind
  readonly id: string
  readonly user: string
  readonly account: string | null
  readonly command: string
  readonly pid: number | null
  /** In seconds since 1970. */
  readonly startedAt: number | null
  readonly firstSeen: number
  readonly lastSeen: number
  /** How much of that time it was looked at. */
  readonly seenSeconds: number
  readonly gpus: number | null
  readonly reservation: Reservation | null
  readonly scheduled?: Scheduled
  readonly cpuSeconds: number | null
  readonly readBytes: number | null
  readonly writeBytes: number | null
  readonly gpuSeconds: number | null
  readonly joules: number | null
  readonly memoryMeanBytes: number | null
  readonly memoryPeakBytes: number | null
  readonly gpuMemoryMeanBytes: number | null
  readonly gpuMemoryPeakBytes: number | null
  readonly cpuPeakCores: number | null
  readonly processesPeak: number | null
  readonly threadsPeak: number | null
  readonly zombiesPeak: number | null
  /** Whether the last round of its host had it. */
  readonly isRunning: boolean
  /** What the host has: the last round that is known. */
  readonly nodeCores: number | null
  readonly nodeMemoryBytes: number | null
  readonly nodeGpus: number | null
}
