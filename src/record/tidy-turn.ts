/** One short job in so many takes all that waits in the spool into the ledger. */
const spoolShare = 32

/** Whether it is this job's turn to tidy the spool: by its random id, for jobs know nothing of each other. */
export const isTurnToTidy = (taskId: string): boolean =>
  Number.parseInt(taskId.slice(0, 4), 16) % spoolShare === 0
