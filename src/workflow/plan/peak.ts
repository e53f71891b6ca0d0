import type { PlanPeak } from '../../model/plan.ts'
import type { WorkflowJob } from '../../model/workflow.ts'
import type { JobTimes } from './critical-path.ts'

/** A job that does not say runs on one, as nearly every program does. */
export const cpusOf = ({ requirements }: WorkflowJob): number => requirements.cpus ?? 1

/** Adds and takes away jobs, and remembers the most of each there was. */
class Tally {
  readonly #now = [0, 0, 0, 0]
  readonly #most = [0, 0, 0, 0]

  count(job: WorkflowJob, sign: 1 | -1): void {
    const { memoryBytes, gpus } = job.requirements
    this.#add(0, sign)
    this.#add(1, sign * cpusOf(job))
    this.#add(2, sign * (memoryBytes ?? 0))
    this.#add(3, sign * (gpus ?? 0))
  }

  #add(what: number, amount: number): void {
    const now = (this.#now[what] ?? 0) + amount
    this.#now[what] = now
    if (now > (this.#most[what] ?? 0)) this.#most[what] = now
  }

  peak(basis: PlanPeak['basis']): PlanPeak {
    const [jobs = 0, cpus = 0, memoryBytes = 0, gpus = 0] = this.#most
    return { basis, jobs, cpus, memory_bytes: memoryBytes, gpus }
  }
}

/** All jobs of a stage at once. */
export function peakByStages(
  jobs: readonly WorkflowJob[],
  stages: readonly (readonly number[])[],
): PlanPeak {
  const tally = new Tally()
  for (const stage of stages) {
    const members = stage.flatMap((index) => jobs[index] ?? [])
    for (const job of members) tally.count(job, 1)
    for (const job of members) tally.count(job, -1)
  }
  return tally.peak('stages')
}

/** Each job from its earliest start to its end; one that ends gives way before others start. */
export function peakByRuntimes(jobs: readonly WorkflowJob[], times: JobTimes): PlanPeak {
  const byTime = (moments: Float64Array): number[] =>
    jobs.map((_, index) => index).toSorted((a, b) => (moments[a] ?? 0) - (moments[b] ?? 0))
  const [starting, ending] = [byTime(times.start), byTime(times.finish)]
  const tally = new Tally()
  let ended = 0
  for (const index of starting) {
    const now = times.start[index] ?? 0
    for (
      ;
      (times.finish[ending[ended] ?? 0] ?? Infinity) <= now && ended < ending.length;
      ended++
    ) {
      const job = jobs[ending[ended] ?? 0]
      if (job !== undefined) tally.count(job, -1)
    }
    const job = jobs[index]
    if (job !== undefined) tally.count(job, 1)
  }
  return tally.peak('runtimes')
}
