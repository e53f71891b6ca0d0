import { outcomeStatuses } from './outcome.ts'

/** Where a job of a workflow stands. What ended stands as its last attempt ended. */
export const jobStates = ['waiting', 'running', ...outcomeStatuses] as const

export type JobState = (typeof jobStates)[number]
