export const outcomeStatuses = [
  'success',
  'failed',
  'timeout',
  'error',
  'interrupted',
  'cancelled',
] as const

/**
 * How an attempt can end.
 *
 * @see Outcome
 */
export type OutcomeStatus = (typeof outcomeStatuses)[number]
/**
 * `running` until the end is known; `waiting` before that, for one that was handed to a cluster or a queue and has not begun.
 * `unknown` for a watched process: only its parent learns its exit code.
 *
 * @see Outcome
 */
export type AttemptStatus = OutcomeStatus | 'waiting' | 'running' | 'unknown'

/** Whether an attempt is still to end. */
export const isOpen = (status: AttemptStatus): status is 'waiting' | 'running' =>
  status === 'running' || status === 'waiting'

/** Whether it may have lasted longer than its duration: of an attempt whose runner was killed only the last sample is known. */
export const isDurationBound = (status: AttemptStatus): boolean => status === 'interrupted'

/** Every way to end other than success. */
export const unsuccessful: readonly AttemptStatus[] = [
  ...outcomeStatuses.filter((status) => status !== 'success'),
  'unknown',
]

export const attemptStatuses: readonly AttemptStatus[] = [
  ...outcomeStatuses,
  'waiting',
  'running',
  'unknown',
]

/** Whether a reason says that the kernel, or jobmeter in its place, killed something for memory. */
export const saysOutOfMemory = (reason: string | null): boolean =>
  reason !== null && (reason.startsWith('out of memory') || reason.includes('killed for memory'))

/** `2 processes of the job were killed for memory`. */
export const killedForMemoryText = (killed: number): string =>
  killed === 1
    ? '1 process of the job was killed for memory'
    : `${killed} processes of the job were killed for memory`

const endedLeftStart = 'ended '
const endedLeftEnd = ' that it left running'

/** `ended 1 process that it left running`. */
export const endedLeftText = (processes: number): string =>
  `${endedLeftStart}${processes === 1 ? '1 process' : `${processes} processes`}${endedLeftEnd}`

/** `ended container k1 that it left running`. */
export const endedContainerText = (name: string): string =>
  `${endedLeftStart}container ${name}${endedLeftEnd}`

/** Whether a reason says that processes, or a container, were ended because the job had left them running. */
export const saysEndedLeft = (reason: string | null): reason is string =>
  reason !== null && reason.startsWith(endedLeftStart) && reason.endsWith(endedLeftEnd)

/**
 * A process that outlived the main process of a job.
 *
 * @see Outcome
 */
export interface Straggler {
  readonly pid: number
  readonly command: string
}

/** `left behind: container k1 of image`: what outlived a job that was to leave nothing. */
export const leftBehindText = (stragglers: readonly Straggler[]): string =>
  `left behind: ${stragglers.map(({ command }) => command).join(', ')}`

/**
 * How an attempt ended.
 *
 * @example
 * ```ts
 * import {
 *   measure,
 *   type AttemptStatus,
 *   type Outcome,
 *   type OutcomeStatus,
 *   type Straggler,
 * } from 'jobmeter'
 *
 * const record = await measure(['sh', '-c', 'kill -9 $$'])
 * const status: AttemptStatus = record.status
 * const outcome: Pick<Outcome, 'exitCode' | 'signal' | 'reason'> = record
 * console.log(status, outcome.exitCode, outcome.signal) // failed 137 SIGKILL
 * const bad: readonly OutcomeStatus[] = ['failed', 'timeout', 'error']
 * console.log(bad.some((each) => each === status)) // true
 * const left: readonly Straggler[] = record.stragglers
 * console.log(left.map(({ pid, command }) => `${pid} ${command}`))
 * ```
 */
export interface Outcome {
  readonly status: OutcomeStatus | 'unknown'
  /** What a shell would report: the exit code, 128 + signal, 127 not found, 126 not executable, 124 timeout. */
  readonly exitCode: number | null
  /** Name of the signal that ended the main process, such as `SIGKILL`. */
  readonly signal: string | null
  /** Why it ended that way, in a few words, if the exit code does not say it all. */
  readonly reason: string | null
  /** Processes that outlived the main process. */
  readonly stragglers: readonly Straggler[]
}
