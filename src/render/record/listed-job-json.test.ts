import { expect, it } from 'vitest'
import type { ListedJob } from '../../model/listed-job.ts'
import { listedJobJson } from './listed-job-json.ts'

const job: ListedJob = {
  taskId: 't4',
  jobId: 5,
  workflowId: null,
  runId: null,
  attempt: 1,
  name: 'train',
  tool: 'python3',
  user: 'ada',
  host: 'node01',
  tags: ['nightly'],
  status: 'failed',
  exitCode: 3,
  signal: null,
  reason: null,
  startedAt: 104,
  endedAt: 116.5,
  durationSeconds: 12.5,
  requirements: { cpus: 2, memoryBytes: null, gpus: null, runtimeSeconds: null },
  usage: {
    cpuTotalSeconds: { value: 3.25 },
    cpuPercentMean: { value: null },
    memoryPeakBytes: { value: 4096, basis: 'at least' },
  },
}

it('writes a listed job with the keys of records', () => {
  expect(listedJobJson(job)).toMatchObject({
    task_id: 't4',
    job_id: 5,
    workflow_id: null,
    returncode: 3,
    error: 'exited with code 3',
    start_time: '1970-01-01T00:01:44.000000Z',
    end_time: '1970-01-01T00:01:56.500000Z',
    requirements: { cpus: 2, memory_bytes: null },
    usage: { cpu_total_seconds: 3.25, cpu_percent_mean: null, memory_peak_bytes: 4096 },
    lower_bounds: ['memory_peak_bytes'],
  })
})

it('names the duration among the lower bounds where the end was not seen', () => {
  const killed = { ...job, status: 'interrupted' } as const
  expect(listedJobJson(killed).lower_bounds).toEqual(['duration_seconds', 'memory_peak_bytes'])
  expect(listedJobJson({ ...killed, durationSeconds: null }).lower_bounds).toEqual([
    'memory_peak_bytes',
  ])
})
