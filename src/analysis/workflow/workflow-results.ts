import type { BriefRecord } from '../../model/brief-record.ts'
import { isLowerBound } from '../../model/measured.ts'
import { jobStates, type JobState } from '../../model/job-state.ts'

export type JobStateCounts = Readonly<Record<JobState, number>>

/** How many jobs of a workflow stand how. */
export interface WorkflowProgress {
  readonly total: number
  readonly success: number
  readonly running: number
  readonly waiting: number
  /** All that ended otherwise than well: failed, timeout, error, interrupted, cancelled. */
  readonly unsuccessful: number
}

export function workflowProgress(states: JobStateCounts): WorkflowProgress {
  const { success, running, waiting } = states
  const total = jobStates.reduce((sum, state) => sum + states[state], 0)
  return { total, success, running, waiting, unsuccessful: total - success - running - waiting }
}

/** What the attempts of a workflow used and asked for, in all. */
export class WorkflowUse {
  attempts = 0
  /** Those that say how much CPU time they used. */
  measured = 0
  cpuSeconds = 0
  /** Whether one of them may have used more. */
  isLowerBound = false
  /** Requested cores times duration, over the attempts that requested some and have ended. */
  requestedCoreSeconds = 0
  /** What just those used that requested some. */
  cpuSecondsOfRequests = 0

  add({ usage, requirements, durationSeconds }: BriefRecord<'cpuTotalSeconds'>): void {
    this.attempts += 1
    if (usage.cpuTotalSeconds.value !== null) {
      this.measured += 1
      this.cpuSeconds += usage.cpuTotalSeconds.value
      this.isLowerBound ||= isLowerBound(usage.cpuTotalSeconds)
      if (requirements.cpus !== null) this.cpuSecondsOfRequests += usage.cpuTotalSeconds.value
    }
    this.requestedCoreSeconds += (requirements.cpus ?? 0) * (durationSeconds ?? 0)
  }
}

export function workflowUse(records: Iterable<BriefRecord<'cpuTotalSeconds'>>): WorkflowUse {
  const use = new WorkflowUse()
  for (const record of records) use.add(record)
  return use
}
