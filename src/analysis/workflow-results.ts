import type { BriefRecord } from '../model/brief-record.ts'
import { isLowerBound } from '../model/measured.ts'
import { jobStates, type JobState } from '../model/job-state.ts'

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
export interface WorkflowUse {
  readonly attempts: number
  /** Those that say how much CPU time they used. */
  readonly measured: number
  readonly cpuSeconds: number
  /** Whether one of them may have used more. */
  readonly isLowerBound: boolean
  /** Requested cores times duration, over the attempts that requested some and have ended. */
  readonly requestedCoreSeconds: number
}

export function workflowUse(records: Iterable<BriefRecord<'cpuTotalSeconds'>>): WorkflowUse {
  let attempts = 0
  let measured = 0
  let cpuSeconds = 0
  let isBounded = false
  let requestedCoreSeconds = 0
  for (const { usage, requirements, durationSeconds } of records) {
    attempts += 1
    if (usage.cpuTotalSeconds.value !== null) {
      measured += 1
      cpuSeconds += usage.cpuTotalSeconds.value
      isBounded ||= isLowerBound(usage.cpuTotalSeconds)
    }
    requestedCoreSeconds += (requirements.cpus ?? 0) * (durationSeconds ?? 0)
  }
  return { attempts, measured, cpuSeconds, isLowerBound: isBounded, requestedCoreSeconds }
}
