import type { Claim } from './claim.ts'
import type { OutcomeStatus } from './outcome.ts'
import type { QueueOrder } from './queue-order.ts'

export interface QueueSubmission {
  /** 32 hexadecimal digits that no other job has. */
  readonly id: string
  readonly user: string
  readonly order: QueueOrder
  readonly priority: number
  /** How often it is run again after it has failed, and after its worker was lost. */
  readonly retries: number
  readonly interruptions: number
  /** The job that must have succeeded before this one begins. */
  readonly after: string | null
}

/** `waiting` for another job, or `queued`. */
export type QueueJobState = 'waiting' | 'queued' | 'running' | OutcomeStatus

export const isOver = (state: QueueJobState): state is OutcomeStatus =>
  state !== 'waiting' && state !== 'queued' && state !== 'running'

/** `paused`: workers take nothing. `draining`: nothing is accepted, and workers finish what there is. */
export type QueueState = 'open' | 'paused' | 'draining'

/** A job of the queue as it stands. */
export interface QueueJob {
  readonly id: string
  readonly name: string
  readonly user: string
  readonly state: QueueJobState
  readonly priority: number
  readonly attempts: number
  readonly exitCode: number | null
  readonly reason: string | null
  /** Seconds since 1970, by the clock of the database. */
  readonly submittedAt: number
  /** Since a worker took it the last time, until that attempt ended, or so far. */
  readonly runSeconds: number | null
  readonly endedAt: number | null
  /** Where its latest attempt runs or ran. */
  readonly host: string | null
  readonly order: QueueOrder
}

/** A worker that is there, or was lost lately. */
export interface QueueWorkerSeen extends Claim {
  readonly id: string
  readonly host: string
  readonly user: string
  readonly labels: readonly string[]
  readonly state: 'alive' | 'draining' | 'lost'
  readonly running: number
  readonly leaseSecondsLeft: number
  /** Since it was last heard of, by the clock of the database. */
  readonly silentSeconds: number
  /** What it accepts, as it told: JSON. */
  readonly rules: string
  /** Why it takes nothing for the time being; null where it does. */
  readonly trouble: string | null
}

/** Jobs that are alike to workers, and wait. */
export interface WaitingKind {
  readonly user: string
  readonly tool: string
  readonly program: string
  readonly image: string
  readonly cpus: number
  readonly memoryBytes: number
  readonly gpus: number
  readonly labels: readonly string[]
  readonly jobs: number
}

/** Jobs that nobody will take as things stand, and why. */
export interface StuckJobs {
  readonly kind: WaitingKind
  readonly why: string
}

/** The attempts of a job of the queue, of which the last one counts. */
export interface QueueTrail {
  readonly jobId: string
  /** null where the queue was not asked, and this is what a ledger has. */
  readonly state: QueueJobState | null
  readonly attempts: readonly TrailAttempt[]
}

export interface TrailAttempt {
  readonly taskId: string
  readonly number: number
  /** How it stands or ended; `superseded`: told after its worker had lost the job. */
  readonly status: string
  readonly host: string
  readonly reason: string | null
}

/** What of a user waits and runs. */
export interface QueueUserSeen {
  readonly user: string
  readonly queued: number
  readonly running: number
  readonly cores: number
}

export interface QueueStatus {
  readonly state: QueueState
  readonly jobs: Readonly<Partial<Record<QueueJobState, number>>>
  readonly users: readonly QueueUserSeen[]
  readonly workers: readonly QueueWorkerSeen[]
}

/** What a user gets of the queue in proportion to others. */
export interface QueueShare {
  readonly user: string
  readonly weight: number
}
