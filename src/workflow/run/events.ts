import type { AttemptStatus } from '../../model/outcome.ts'
import type { JobRecord } from '../../model/record.ts'

/** What a run tells those who watch it. */
export interface RunObserver {
  jobStarted(job: RunningView): void
  /** An attempt ended; `final` unless it is tried again. */
  attemptEnded(name: string, record: JobRecord, final: boolean): void
  /** An attempt whose job was to be tried again was its last: its recovery failed, or nothing may start any more. */
  notTriedAgain(name: string, record: JobRecord): void
  jobsCancelled(names: readonly string[], because: string): void
  note(message: string): void
  /** Something is wrong, apart from a job that failed: to be heard though the rest is quiet. */
  trouble(message: string): void
}

/** A job that runs, for showing it while it does. */
export interface RunningView {
  readonly name: string
  readonly jobId: number
  readonly attempt: number
  elapsedSeconds(): number
  readonly requestedCpus: number | null
  readonly requestedMemoryBytes: number | null
  /** As of the last look; null before the first. */
  cpuPercent(): number | null
  memoryBytes(): number | null
}

/** How a run ended. */
export interface RunSummary {
  readonly workflowId: number
  readonly runId: number
  readonly outputDirectory: string
  readonly durationSeconds: number
  /** Jobs by the state that they have now, those of earlier runs included. */
  readonly states: Readonly<Partial<Record<AttemptStatus, number>>>
  readonly failures: readonly JobFailure[]
  /** Of jobs that succeeded, and of what any job left running. */
  readonly warnings: readonly JobWarning[]
  readonly usedCoreSeconds: number
  readonly usedIsLowerBound: boolean
  readonly requestedCoreSeconds: number
  /** Why it stopped before its end: a signal, a failure, trouble with the ledger, or another runner that took over. */
  readonly stopped: string | null
  /** The signal that did, where one alone did. */
  readonly stoppedBy: NodeJS.Signals | null
}

export interface JobWarning {
  readonly name: string
  readonly jobId: number
  readonly text: string
}

export interface JobFailure {
  readonly name: string
  readonly jobId: number
  readonly status: AttemptStatus
  readonly reason: string
  readonly stderrPath: string
}
