import { describe, expect, it } from 'vitest'
import { someJob, someWorkflow } from '../../../test/contracts/workflows.ts'
import { noRequirements } from '../../model/job.ts'
import { jobEnvironment } from './job-environment.ts'

const identity = { workflowId: 3, runId: 2, jobId: 17, attempt: 4, outputDirectory: '/out' }
const { workflow } = someWorkflow([], { environment: { LEVEL: 'workflow', SHARED: 'yes' } })

describe('the environment of a job', () => {
  it('is the runner’s, then the workflow’s, then the job’s, and says who it is', () => {
    const job = someJob('train', { environment: { LEVEL: 'job', JOBMETER_RUN_ID: 'forged' } })
    const base = { PATH: '/bin', LEVEL: 'runner', CUDA_VISIBLE_DEVICES: '0,1' }
    expect(jobEnvironment(base, workflow, job, identity, [])).toEqual({
      PATH: '/bin',
      LEVEL: 'job',
      SHARED: 'yes',
      CUDA_VISIBLE_DEVICES: '0,1',
      JOBMETER_WORKFLOW_ID: '3',
      JOBMETER_RUN_ID: '2',
      JOBMETER_JOB_ID: '17',
      JOBMETER_JOB_NAME: 'train',
      JOBMETER_ATTEMPT: '4',
      JOBMETER_OUTPUT_DIR: '/out',
    })
  })

  it.each([
    [2, ['0', '3'], '0,3'],
    [1, ['GPU-f7f1'], 'GPU-f7f1'],
    [0, [], ''],
  ])('shows the GPUs that it got, when it asked for %d', (gpus, got, list) => {
    const job = someJob('train', { requirements: { ...noRequirements, gpus } })
    const base = { CUDA_VISIBLE_DEVICES: '0,1,2,3' }
    expect(jobEnvironment(base, workflow, job, identity, got)).toMatchObject({
      CUDA_VISIBLE_DEVICES: list,
      ROCR_VISIBLE_DEVICES: list,
    })
  })
})
