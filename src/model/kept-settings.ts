/** What jobs may use together, as far as somebody says so. */
export interface GivenCapacity {
  readonly cpus?: number | undefined
  readonly memoryBytes?: number | undefined
  readonly gpus?: number | undefined
  readonly maxParallelJobs?: number | undefined
}

/**
 * What somebody said of how a workflow is to be run. It is kept with the workflow: a failure that was asked for must not
 * become a success only because the workflow is resumed.
 */
export interface KeptSettings {
  readonly capacity: GivenCapacity
  /** Whole; without it, `output` in the folder of the workflow. */
  readonly outputDirectory?: string | undefined
  readonly failFast?: boolean | undefined
  /** Whether declared files that are missing are failures; without it: what the workflow itself says. */
  readonly strictFiles?: boolean | undefined
  readonly graceSeconds?: number | undefined
  /** Slurm is asked how jobs stand no more often than this. */
  readonly slurmPollSeconds?: number | undefined
  /** Whole. */
  readonly alertFile?: string | undefined
  /** Whether its jobs are watched at all; without it: what the workflow itself says. */
  readonly monitored?: boolean | undefined
}

export const nothingKept: KeptSettings = { capacity: {} }

/** What is said now counts, and goes on with what was said before. */
export const withKept = (kept: KeptSettings, given: KeptSettings): KeptSettings => ({
  ...kept,
  ...said(given),
  capacity: { ...kept.capacity, ...said(given.capacity) },
})

/** What still goes for a run though nobody has said it again. */
export const keptAlone = (kept: KeptSettings, given: KeptSettings): KeptSettings => ({
  ...without(kept, said(given)),
  capacity: without(kept.capacity, said(given.capacity)),
})

const said = <T extends object>(settings: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(settings).filter(([, setting]) => setting !== undefined),
  ) as Partial<T>

const without = <T extends object>(settings: T, others: object): T =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !(name in others))) as T

export const saysNothing = ({ capacity, ...others }: KeptSettings): boolean =>
  [capacity, others].every((settings) => Object.keys(settings).length === 0)
