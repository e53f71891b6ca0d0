/** Where a job of a workflow stands. What ended stands as its last attempt ended. */
export const jobStates = [
  'waiting',
  'running',
  'success',
  'failed',
  'timeout',
  'error',
  'interrupted',
  'cancelled',
] as const

export type JobState = (typeof jobStates)[number]
