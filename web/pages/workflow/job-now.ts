import type { JobState } from '../../../src/model/job-state.ts'
import type { JobBrief } from '../../../src/server/schemas/job.ts'
import type { Results, WorkflowJobs } from '../../../src/server/schemas/workflow.ts'
import { momentSeconds } from '../../moment.ts'

type ReadJob = WorkflowJobs['jobs'][number]
type ReadResult = Results['results'][number]

/** A job of a workflow as it stands now, with what its latest attempt used. */
export interface JobNow {
  readonly jobId: number
  readonly name: string
  readonly template: string
  readonly command: string
  readonly dependsOn: readonly string[]
  readonly requirements: ReadJob['resource_requirements']
  readonly state: JobState
  readonly attempts: number
  /** Of its latest attempt; null where nothing was tried yet. */
  readonly taskId: string | null
  /** Seconds since 1970, of an attempt that events told of. */
  readonly startedAt: number | null
  readonly durationSeconds: number | null
  readonly cpuPercentMean: number | null
  readonly memoryPeakBytes: number | null
  /** As `JobBrief` names them. */
  readonly lowerBounds: readonly string[]
}

/** The jobs that were read, with what events told of them since. */
export function jobsNow(
  jobs: readonly ReadJob[],
  results: readonly ReadResult[],
  changed: Iterable<JobBrief>,
  workflowId: number,
): JobNow[] {
  const resultOf = new Map(results.map((result) => [result.job_id, result]))
  const attemptOf = new Map<number, JobBrief>()
  for (const attempt of changed) {
    if (attempt.workflow_id !== workflowId || attempt.job_id === null) continue
    const known = attemptOf.get(attempt.job_id)
    if (known === undefined || known.attempt <= attempt.attempt)
      attemptOf.set(attempt.job_id, attempt)
  }
  return jobs.map((job) => jobNow(job, resultOf.get(job.job_id), attemptOf.get(job.job_id)))
}

function jobNow(
  job: ReadJob,
  result: ReadResult | undefined,
  attempt: JobBrief | undefined,
): JobNow {
  const told = attempt !== undefined && isNewer(attempt, job) ? attempt : undefined
  const latest = attempt !== undefined && attempt.attempt >= (result?.attempt ?? 0) ? attempt : null
  return {
    jobId: job.job_id,
    name: job.job_name,
    template: job.template,
    command: job.command,
    dependsOn: job.depends_on,
    requirements: job.resource_requirements,
    state: told === undefined ? job.state : stateOf(told),
    attempts: Math.max(job.attempts, attempt?.attempt ?? 0),
    taskId: latest?.task_id ?? result?.task_id ?? null,
    startedAt: latest === null ? null : momentSeconds(latest.start_time),
    ...figuresOf(result, latest),
  }
}

type Figures = Pick<
  JobNow,
  'durationSeconds' | 'cpuPercentMean' | 'memoryPeakBytes' | 'lowerBounds'
>

function figuresOf(result: ReadResult | undefined, latest: JobBrief | null): Figures {
  if (latest !== null)
    return {
      durationSeconds: latest.duration_seconds,
      cpuPercentMean: latest.usage.cpu_percent_mean,
      memoryPeakBytes: latest.usage.memory_peak_bytes,
      lowerBounds: latest.lower_bounds,
    }
  return {
    durationSeconds: result?.exec_time_seconds ?? null,
    cpuPercentMean: result?.avg_cpu_percent ?? null,
    memoryPeakBytes: result?.peak_memory_bytes ?? null,
    lowerBounds: result?.lower_bounds.map((name) => briefNames[name] ?? name) ?? [],
  }
}

/** What the figures of a result are called in a list of jobs. */
const briefNames: Readonly<Record<string, string>> = {
  exec_time_seconds: 'duration_seconds',
  avg_cpu_percent: 'cpu_percent_mean',
  peak_memory_bytes: 'memory_peak_bytes',
}

/** Whether an event tells more than the reading did: of an attempt that was not there, or ran then. */
const isNewer = (attempt: JobBrief, job: ReadJob): boolean =>
  attempt.attempt > job.attempts || (attempt.attempt === job.attempts && job.state === 'running')

const stateOf = ({ status }: JobBrief): JobState => (status === 'unknown' ? 'interrupted' : status)

export function countStates(jobs: readonly JobNow[]): Partial<Record<JobState, number>> {
  const counts: Partial<Record<JobState, number>> = {}
  for (const { state } of jobs) counts[state] = (counts[state] ?? 0) + 1
  return counts
}

/** Whether two counts say the same; a state that is left out has none. */
export const sameStates = (
  a: Readonly<Partial<Record<string, number>>>,
  b: Readonly<Partial<Record<string, number>>>,
): boolean =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].every(
    (state) => (a[state] ?? 0) === (b[state] ?? 0),
  )
