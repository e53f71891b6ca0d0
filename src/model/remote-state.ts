/** Why a request had no success: no answer, 429, 5xx, another answer, or a secret that could not be read. */
export const failureReasons = [
  'no_answer',
  'too_many',
  'server_error',
  'refused',
  'secret',
] as const
export type FailureReason = (typeof failureReasons)[number]

/** Why samples never arrive: too many waited, the other side refused them, their file was broken or could not be written. */
export const dropReasons = ['buffer_full', 'refused', 'broken', 'unwritable'] as const
export type DropReason = (typeof dropReasons)[number]

/** How the sending of metrics to one target goes. Counts are since the program was started. */
export interface RemoteState {
  readonly target: string
  /** Seconds since 1970. */
  readonly startedAt: number
  readonly samplesSent: number
  readonly requests: number
  /** Of the bodies of requests, as they were sent. */
  readonly bytesSent: number
  readonly failures: Readonly<Record<FailureReason, number>>
  readonly samplesDropped: Readonly<Record<DropReason, number>>
  readonly waitingBatches: number
  readonly waitingBytes: number
  /** How long the oldest has waited; 0 if none waits. */
  readonly lagSeconds: number
  /** Seconds since 1970; null: never since the start. */
  readonly lastSentAt: number | null
}

/** The same for other programs, in a file beside what waits. */
export interface RemoteStanding {
  readonly lastSentAt: number | null
  /** What went wrong last, if it does not work now. */
  readonly problem: string | null
  readonly samplesDropped: number
  readonly startedAt: number
}
