const queuePrefix = 'queue:'

/** A tag that all attempts of a job of the queue have: only the first of them has the id of the job for its own. */
export const queueTag = (jobId: string): string => `${queuePrefix}${jobId}`

/** The id of the job of the queue that a record is of, by its tags; undefined where it is of none. */
export const queueIdIn = (tags: readonly string[]): string | undefined =>
  tags.find((tag) => tag.startsWith(queuePrefix))?.slice(queuePrefix.length)

/** Ids of the queue are hexadecimal; those of jobs in a ledger are short decimal numbers, or names. */
export const mayBeQueued = (typed: string): boolean => /^[0-9a-f]{8,32}$/i.test(typed)
