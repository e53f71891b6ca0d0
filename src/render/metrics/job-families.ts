import type { EndedSum, JobLabels, JobMetrics } from '../../model/metric-facts.ts'
import type { RunningSum, UsedSum } from '../../model/metric-facts.ts'
import type { FamilyOf, Labels } from './family.ts'
import { counter, gauge } from './family-kinds.ts'

const byJob = ['user', 'name'] as const

const labelsOf = ({ user, name }: JobLabels): Labels => ({ user, name })

const used = (
  name: string,
  help: string,
  valueOf: (sum: UsedSum) => number,
): FamilyOf<JobMetrics> =>
  counter(`jobmeter_jobs_${name}`, byJob, help, (jobs) =>
    jobs.used.map((sum) => ({
      labels: labelsOf(sum),
      value: valueOf(sum),
      createdAt: sum.since,
    })),
  )

const running = (
  name: string,
  help: string,
  valueOf: (sum: RunningSum) => number | null,
): FamilyOf<JobMetrics> =>
  gauge(`jobmeter_running_${name}`, byJob, help, (jobs) =>
    jobs.running.map((sum) => ({ labels: labelsOf(sum), value: valueOf(sum) })),
  )

const ended = (sum: EndedSum) => ({
  labels: { ...labelsOf(sum), status: sum.status },
  value: sum.attempts,
  createdAt: sum.since,
})

export const jobFamilies: readonly FamilyOf<JobMetrics>[] = [
  counter(
    'jobmeter_jobs_finished',
    [...byJob, 'status'],
    'Attempts in the ledger that have ended, by how they ended.',
    (jobs) => jobs.ended.map(ended),
  ),
  used('cpu_seconds', 'CPU time of attempts that have ended.', ({ cpuSeconds }) => cpuSeconds),
  used(
    'wall_seconds',
    'How long attempts that have ended took, added up.',
    ({ wallSeconds }) => wallSeconds,
  ),
  gauge(
    'jobmeter_jobs_memory_peak_bytes',
    byJob,
    'The most memory that any attempt had that has ended.',
    (jobs) => jobs.used.map((sum) => ({ labels: labelsOf(sum), value: sum.memoryPeakBytes })),
  ),
  running('jobs', 'Jobs that run now.', ({ attempts }) => attempts),
  running('cpu_cores', 'CPUs that jobs use now, by their last samples.', (sum) => sum.cpuCores),
  running(
    'memory_bytes',
    'Memory that jobs use now, by their last samples.',
    ({ memoryBytes }) => memoryBytes,
  ),
  running(
    'requested_cpus',
    'CPUs that the jobs asked for that run now.',
    ({ requestedCpus }) => requestedCpus,
  ),
  running(
    'requested_memory_bytes',
    'Memory that the jobs asked for that run now.',
    ({ requestedMemoryBytes }) => requestedMemoryBytes,
  ),
  running(
    'requested_gpus',
    'GPUs that the jobs asked for that run now.',
    ({ requestedGpus }) => requestedGpus,
  ),
]
