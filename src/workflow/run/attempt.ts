import type { LaunchResult } from '../../launch/request.ts'
import type { RunningJob } from '../../launch/running-job.ts'
import type { JobRecord } from '../../model/record.ts'
import { stdioPath } from '../../model/stdio-path.ts'
import type { AttemptEnd, AttemptRef, AttemptStart } from '../../store/ledger/store.ts'
import type { FileMark, StoredJob } from '../../store/ledger/workflow-store.ts'
import type { RunningView } from './events.ts'
import type { JobIdentity } from './job-environment.ts'
import type { Retries } from './retries.ts'
import type { Start } from './schedule.ts'

/** One attempt under way. */
export interface Attempt {
  readonly stored: StoredJob
  readonly start: Start
  readonly identity: JobIdentity
  readonly ref: AttemptRef
  readonly record: AttemptStart
  readonly retries: Retries
  /** Before it started: what changes while it runs may or may not have been read. */
  readonly inputs: readonly FileMark[]
}

/** Where it writes its standard output (`o`) or standard error (`e`). */
export function stdioOf({ identity }: Attempt, stream: 'o' | 'e'): string {
  return stdioPath(identity.outputDirectory, identity, stream)
}

export function recordOf(attempt: Attempt, result: LaunchResult, endedAt: number): JobRecord {
  const { job, taskId, user, machine, owner, startedAt } = attempt.record
  return {
    ...job,
    taskId,
    user,
    machine,
    owner,
    startedAt,
    jobId: attempt.stored.jobId,
    attempt: attempt.identity.attempt,
    endedAt,
    durationSeconds: result.durationSeconds,
    ...result.outcome,
    usage: result.usage,
    samples: result.samples,
  }
}

export function endOf(result: LaunchResult, endedAt: number): AttemptEnd {
  const { durationSeconds, outcome, usage, samples } = result
  return { endedAt, durationSeconds, outcome, usage, samples }
}

/** The attempt for those who watch the run. */
export function viewOf(
  attempt: Attempt,
  job: RunningJob,
  elapsedSeconds: () => number,
): RunningView {
  return {
    name: attempt.stored.job.name,
    jobId: attempt.stored.jobId,
    attempt: attempt.identity.attempt,
    elapsedSeconds,
    requestedCpus: attempt.record.job.requirements.cpus,
    requestedMemoryBytes: attempt.record.job.requirements.memoryBytes,
    cpuPercent: () => job.cpuPercent,
    memoryBytes: () => job.memoryBytes,
  }
}
