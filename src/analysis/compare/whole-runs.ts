/** A job of a run, or a command by itself. */
interface RunJob {
  readonly taskId: string
  readonly name: string
  readonly workflowRun?: string
}

export interface WholeRuns<Job> {
  /** Runs with the jobs of each that are compared. */
  readonly a: readonly (readonly Job[])[]
  readonly b: readonly (readonly Job[])[]
  /** How many jobs each of them has; null where the runs have no job in common, and each is taken as it is. */
  readonly jobs: number | null
  readonly partialA: number
  readonly partialB: number
}

/**
 * The runs that have all jobs that both sides have (`shared`). Where one side has no such run, all runs with the jobs
 * that every one of them has; none where there is no such job.
 */
export function wholeRuns<Job extends RunJob>(
  setA: readonly Job[],
  setB: readonly Job[],
  shared: readonly string[],
): WholeRuns<Job> {
  const [runsA, runsB] = [runsOf(setA), runsOf(setB)]
  const whole = (run: Run<Job>): boolean => shared.every((name) => run.names.has(name))
  const areWhole = runsA.some(whole) && runsB.some(whole)
  const all = [...runsA, ...runsB]
  const compared = new Set(
    areWhole ? shared : shared.filter((name) => all.every(({ names }) => names.has(name))),
  )
  const hasNone = shared.length > 0 && compared.size === 0
  const chosen = (runs: readonly Run<Job>[]): Job[][] =>
    (hasNone ? [] : areWhole ? runs.filter(whole) : runs).map(({ jobs }) =>
      compared.size === 0 ? jobs : jobs.filter(({ name }) => compared.has(name)),
    )
  const [a, b] = [chosen(runsA), chosen(runsB)]
  return {
    a,
    b,
    jobs: compared.size === 0 ? null : compared.size,
    partialA: runsA.length - a.length,
    partialB: runsB.length - b.length,
  }
}

interface Run<Job> {
  readonly jobs: Job[]
  readonly names: ReadonlySet<string>
}

function runsOf<Job extends RunJob>(jobs: readonly Job[]): Run<Job>[] {
  const byRun = Map.groupBy(jobs, ({ workflowRun, taskId }) => workflowRun ?? taskId)
  return [...byRun.values()].map((own) => ({
    jobs: own,
    names: new Set(own.map((job) => job.name)),
  }))
}
