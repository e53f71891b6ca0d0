const taskPrefix = 'task:'

/** A tag that carries the id which a program has for a job: programs may use one again, while the ledger's are unique. */
export const taskTag = (taskId: string): string => `${taskPrefix}${taskId}`

/** The id that a program gave to a job, by the job's tags; undefined if it has none. */
export const givenTaskId = (tags: readonly string[]): string | undefined =>
  tags.find((tag) => tag.startsWith(taskPrefix))?.slice(taskPrefix.length)
