import { measured } from '../../../src/model/measured.ts'
import type { Workflow } from '../../../src/model/workflow.ts'
import type { ListedJob } from '../../../src/render/workflow/workflow-jobs.ts'
import type { Result } from '../../../src/render/workflow/results-rows.ts'
import type { WorkflowHead } from '../../../src/model/workflow-head.ts'
import { someJob, someWorkflow } from '../../contracts/workflows.ts'
import { lammps, poisson, running } from './crafted-records.ts'

const createdAt = Date.UTC(2025, 9, 15, 9) / 1000
const noStates = {
  waiting: 0,
  running: 0,
  success: 0,
  failed: 0,
  timeout: 0,
  error: 0,
  interrupted: 0,
  cancelled: 0,
}

/** One that runs. */
export const training: WorkflowHead = {
  workflowId: 12,
  name: 'ML Training Pipeline',
  user: 'ada',
  createdAt,
  specPath: '/home/ada/ml_pipeline.yaml',
  jobCount: 1205,
  states: { ...noStates, waiting: 1000, running: 2, success: 200, failed: 2, cancelled: 1 },
  latestRunId: 3,
  leasedBy: { host: 'node-7', bootId: 'b1', pid: 900, startTicks: 1 },
}

/** One that never ran, of somebody who would like to write to the terminal. */
export const untouched: WorkflowHead = {
  ...training,
  workflowId: 13,
  name: 'evil\u001b[2J',
  jobCount: 3,
  states: { ...noStates, waiting: 3 },
  latestRunId: null,
  leasedBy: null,
}

export const trainingDefinition: Workflow = someWorkflow([], {
  name: training.name,
  description: 'Train models with resource monitoring',
  files: [{ name: 'data', path: 'data.csv' }],
  monitor: {
    enabled: true,
    granularity: 'time_series',
    sampleIntervalSeconds: 2,
    generatePlots: false,
    enforce: ['memory'],
  },
}).workflow

const requirements = { cpus: 8, memoryBytes: 32 * 2 ** 30, gpus: 1, runtimeSeconds: 7200 }

export const listedJobs: readonly ListedJob[] = [
  { jobId: 15, state: 'success', attempts: 1, job: someJob('preprocess_data') },
  {
    jobId: 16,
    state: 'failed',
    attempts: 2,
    job: someJob('train_model', { dependsOn: ['preprocess_data'], requirements }),
  },
  { jobId: 17, state: 'waiting', attempts: 0, job: someJob('evaluate_model', { dependsOn: ['train_model'] }) },
]

const memoryMeanBytes = measured(300 * 2 ** 20, 'samples')

export const craftedResults: readonly Result[] = [
  { jobId: 15, runId: 1, attempt: 1, record: { ...poisson, name: 'preprocess_data' } },
  {
    jobId: 16,
    runId: 2,
    attempt: 3,
    record: { ...lammps, name: 'train, "big"', usage: { ...lammps.usage, memoryMeanBytes } },
  },
  { jobId: 17, runId: 2, attempt: 1, record: { ...running, name: 'evaluate_model' } },
]
