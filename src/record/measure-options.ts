import type { StragglerPolicy } from '../launch/request.ts'
import type { Job, Requirements } from '../model/job.ts'

/**
 * How `measure` runs a command. Every option has a sensible default.
 *
 * @see measure
 */
export interface MeasureOptions {
  /** The ledger that keeps the record; by default the user's own. */
  readonly ledger?: string
  readonly name?: string
  /** The program that statistics count it for; by default what its command says. */
  readonly tool?: string
  /** The script that it runs; by default what its command says. */
  readonly script?: string
  readonly params?: Job['params']
  readonly tags?: readonly string[]
  /** What the job asks for. It is recorded, not enforced. */
  readonly requirements?: Partial<Requirements>
  readonly workingDirectory?: string
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Files to use instead of our own standard streams; output is appended to them. */
  readonly stdin?: string
  readonly stdout?: string
  readonly stderr?: string
  /** Time between samples; 1 by default. */
  readonly intervalSeconds?: number
  readonly timeoutSeconds?: number
  readonly memoryLimitBytes?: number
  /** Time between asking the job to end and killing it; 10 by default. */
  readonly graceSeconds?: number
  readonly stragglers?: StragglerPolicy
  /** Ends the job when the signal is aborted. */
  readonly signal?: AbortSignal
  /** Is called with each problem in keeping the record. Such problems do not affect the job itself. */
  readonly onProblem?: (problem: string) => void
}
