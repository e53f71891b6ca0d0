/** The first digits of a task id; what the agent calls a job that it saw, such as `slurm:4711@node01`, is not shortened. */
export const shortTaskId = (id: string, digits: number): string =>
  id.includes(':') ? id : id.slice(0, digits)
