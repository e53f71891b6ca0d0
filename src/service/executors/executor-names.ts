/** Where the attempts of a workflow can run. */
export const executorNames = ['local', 'queue', 'slurm'] as const

/** One Slurm job for each job; one array for jobs that are alike; workers that pull jobs in an allocation. */
export const slurmWays = ['jobs', 'arrays', 'workers'] as const

export type SlurmBy = (typeof slurmWays)[number]
export type ExecutorName = (typeof executorNames)[number]
