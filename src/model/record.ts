import { signalOfExitCode } from './exit-signal.ts'
import type { Job } from './job.ts'
import type { Machine, Owner } from './machine.ts'
import { missingOutputWords } from './missing-output.ts'
import { isOpen, saysOutOfMemory, type AttemptStatus, type Straggler } from './outcome.ts'
import type { Usage } from './usage.ts'

/**
 * Everything that is known about one attempt at a job: the record that everything else shows.
 *
 * @see measure
 */
export interface JobRecord extends AttemptRecord {
  /** The ledger's number for the job; null if the record has not reached the ledger yet. */
  readonly jobId: number | null
  /** 1 for the first attempt; a retry is a new attempt with its own record. */
  readonly attempt: number
}

/**
 * What is known about an attempt before the ledger has given it its numbers.
 *
 * @see boundBy
 */
export interface AttemptRecord extends Job {
  /** 32 hexadecimal digits, unique everywhere. */
  readonly taskId: string
  readonly user: string
  readonly machine: Machine
  readonly owner: Owner
  /** Seconds since 1970. */
  readonly startedAt: number
  /** null while it runs, and if its end was not seen. */
  readonly endedAt: number | null
  readonly durationSeconds: number | null
  readonly status: AttemptStatus
  readonly exitCode: number | null
  readonly signal: string | null
  readonly reason: string | null
  readonly stragglers: readonly Straggler[]
  readonly usage: Usage
  readonly samples: SamplingFacts
}

/**
 * How closely an attempt was watched.
 *
 * @example
 * ```ts
 * import { measure, type SamplingFacts } from 'jobmeter'
 *
 * const samples: SamplingFacts = (await measure(['sleep', '0.2'], { intervalSeconds: 0.1 })).samples
 * console.log(samples.collected, samples.intervalSeconds, samples.late, samples.ownCpuSeconds)
 * ```
 */
export interface SamplingFacts {
  readonly collected: number
  /** null if the job was not watched. */
  readonly intervalSeconds: number | null
  /** Looks that came later than half an interval after they were due. */
  readonly late: number
  /** The CPU time that jobmeter itself used while the job ran. */
  readonly ownCpuSeconds: number | null
}

/** A warning about a job that succeeded: one of its processes was killed, or a file that it declares is missing. */
export const warningText = ({
  status,
  reason,
}: Pick<AttemptRecord, 'status' | 'reason'>): string | null =>
  status === 'success' &&
  reason !== null &&
  (saysOutOfMemory(reason) || reason.startsWith(missingOutputWords))
    ? reason
    : null

/** Why a job did not succeed, in a few words; null if it did, or if it is still running. */
export function errorText(
  record: Pick<AttemptRecord, 'status' | 'reason' | 'signal' | 'exitCode'>,
): string | null {
  const { status, reason, signal, exitCode } = record
  if (isOpen(status)) return null
  if (status === 'success') return warningText(record)
  if (reason !== null) return reason
  if (status === 'timeout') return 'timed out'
  if (signal !== null) return `ended by ${signal}`
  if (status === 'failed' && exitCode !== null) return exitedText(exitCode)
  return status === 'error' ? 'could not be run' : status
}

/** A program may also choose such a code itself: that a signal ended it is likely, not known. */
function exitedText(exitCode: number): string {
  const signal = signalOfExitCode(exitCode)
  return `exited with code ${exitCode}${signal === null ? '' : ` (as by ${signal})`}`
}
