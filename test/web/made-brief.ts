import type { JobBrief } from '../../src/server/schemas/job.ts'

/** A job in a list; the higher its number, the later it began. */
export const job = (id: number, changes: Partial<JobBrief> = {}): JobBrief => ({
  task_id: String(id).padStart(32, '0'),
  job_id: id,
  workflow_id: null,
  run_id: null,
  attempt: 1,
  name: `job-${id % 3}`,
  tool: 'sh',
  user: 'ann',
  host: 'node01',
  tags: ['nightly'],
  status: 'running',
  start_time: new Date(1e12 + id * 1000).toISOString(),
  end_time: null,
  duration_seconds: null,
  returncode: null,
  signal: null,
  reason: null,
  error: null,
  requirements: { cpus: null, memory_bytes: null, gpus: null, runtime_seconds: null },
  usage: { cpu_total_seconds: null, cpu_percent_mean: null, memory_peak_bytes: null },
  lower_bounds: [],
  ...changes,
})
