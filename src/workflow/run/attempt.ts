import type { JobRecord } from '../../model/record.ts'
import { stdioPath } from '../../model/stdio-path.ts'
import { endedRecord } from '../../store/ledger/attempt-record.ts'
import type { AttemptEnd, AttemptRef, AttemptStart } from '../../store/ledger/store.ts'
import type { FileMark, StoredJob } from '../../store/ledger/workflow-store.ts'
import type { RunningView } from './events.ts'
import type { LeftAttempt, LiveFigures } from './executor.ts'
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
  /** By what it was found, where a runner that died has started it. */
  readonly left: LeftAttempt | null
}

/** Where it writes its standard output (`o`) or standard error (`e`). */
export function stdioOf({ identity }: Attempt, stream: 'o' | 'e'): string {
  return stdioPath(identity.outputDirectory, identity, stream)
}

export function recordOfAttempt(attempt: Attempt, end: AttemptEnd): JobRecord {
  const { stored, identity, record } = attempt
  return endedRecord(record, end, { jobId: stored.jobId, attempt: identity.attempt })
}

/** What others must know of it if we die (`left-note.ts`). */
export function noteOf({ ref, start }: Attempt, handle: object, withGpus: boolean): string {
  const { taskId } = ref
  return JSON.stringify(withGpus ? { ...handle, taskId, gpus: start.gpus } : handle)
}

/** The attempt for those who watch the run. */
export function viewOf(
  attempt: Attempt,
  figures: LiveFigures,
  elapsedSeconds: () => number,
): RunningView {
  return {
    name: attempt.stored.job.name,
    jobId: attempt.stored.jobId,
    attempt: attempt.identity.attempt,
    elapsedSeconds,
    requestedCpus: attempt.record.job.requirements.cpus,
    requestedMemoryBytes: attempt.record.job.requirements.memoryBytes,
    cpuPercent: () => figures.cpuPercent,
    memoryBytes: () => figures.memoryBytes,
  }
}
