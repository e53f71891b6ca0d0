import type { Reservation } from './node-round.ts'

/** What Slurm's own account says of a job. Null is "not told". */
export interface PastSlurmJob {
  readonly id: string
  readonly user: string | null
  readonly account: string | null
  readonly name: string | null
  readonly hosts: readonly string[]
  /** Seconds since 1970. */
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly reservation: Reservation
  readonly cpuSeconds: number | null
  /** Of its largest task. */
  readonly memoryPeakBytes: number | null
}
