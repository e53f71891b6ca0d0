import type { Reservation } from '../../model/node-round.ts'

/** What Slurm says of a job. */
export interface SlurmWord {
  /** The number that the job's cgroup and environment have, whatever it is shown as. */
  readonly id: string
  readonly uid: number
  readonly account: string | null
  readonly shownId: string | null
  /** Null where the source does not tell. */
  readonly restarts: number | null
  readonly reservation: Reservation
}
