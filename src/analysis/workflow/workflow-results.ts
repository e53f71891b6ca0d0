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
  /** How many these are. */
  requesting = 0
  #compared = { usedSeconds: 0, requestedCoreSeconds: 0 }

  add({ usage, requirements, durationSeconds }: BriefRecord<'cpuTotalSeconds'>): void {
    const requested = (requirements.cpus ?? 0) * (durationSeconds ?? 0)
    const used = usage.cpuTotalSeconds.value
    this.attempts += 1
    this.requestedCoreSeconds += requested
    if (requirements.cpus && durationSeconds !== null) this.requesting += 1
    if (used === null) return
    this.measured += 1
    this.cpuSeconds += used
    this.isLowerBound ||= isLowerBound(usage.cpuTotalSeconds)
    if (requested === 0) return
    this.#compared.usedSeconds += used
    this.#compared.requestedCoreSeconds += requested
  }

  /** What was used of what was requested, over the attempts of which both are known; null where there are none. */
  shareOfRequests(): number | null {
    const { usedSeconds, requestedCoreSeconds } = this.#compared
    return requestedCoreSeconds === 0 ? null : usedSeconds / requestedCoreSeconds
  }
}

export function workflowUse(records: Iterable<BriefRecord<'cpuTotalSeconds'>>): WorkflowUse {
  const use = new WorkflowUse()
  for (const record of records) use.add(record)
  return use
}
