import { describe, expect, it } from 'vitest'
import type { JobBrief } from '../../src/server/schemas/job.ts'
import type { Results, WorkflowJobs } from '../../src/server/schemas/workflow.ts'
import { jobsNow, sameStates } from '../../web/pages/workflow/job-now.ts'
import { workflowStatus } from '../../web/pages/workflows/progress-words.ts'
import { job as madeBrief } from './made-brief.ts'

type ReadJob = WorkflowJobs['jobs'][number]

const read = (state: ReadJob['state'], attempts: number): ReadJob => ({
  job_id: 7,
  job_name: 'train',
  state,
  command: 'true',
  depends_on: [],
  resource_requirements: { cpus: null, memory_bytes: null, gpus: null, runtime_seconds: null },
  attempts,
  template: 'train',
})

const told = (status: JobBrief['status'], attempt: number, workflowId = 3): JobBrief =>
  madeBrief(7, { task_id: `task-${attempt}`, workflow_id: workflowId, run_id: 1, attempt, status })

describe('a job of a workflow with what events told', () => {
  it.each([
    ['began', read('waiting', 0), [told('running', 1)], 'running'],
    ['ended', read('running', 1), [told('success', 1)], 'success'],
    ['was tried again', read('running', 1), [told('failed', 1), told('running', 2)], 'running'],
    ['told in any order', read('running', 1), [told('running', 2), told('failed', 1)], 'running'],
    ['was reset since', read('waiting', 1), [told('failed', 1)], 'waiting'],
    ['was cancelled since', read('cancelled', 1), [told('running', 1)], 'cancelled'],
    ['of another workflow', read('waiting', 0), [told('running', 1, 4)], 'waiting'],
    ['whose end nobody saw', read('running', 1), [told('unknown', 1)], 'interrupted'],
  ] as const)('that %s', (_, job, changed, state) => {
    expect(jobsNow([job], [], changed, 3)[0]?.state).toBe(state)
  })

  it('leads to its latest attempt', () => {
    const changed = [told('failed', 1), told('running', 2)]
    expect(jobsNow([read('running', 1)], [], changed, 3)[0]?.taskId).toBe('task-2')
    expect(jobsNow([read('waiting', 0)], [], [], 3)[0]?.taskId).toBeNull()
  })

  it('names the lower bounds of a result as those of a job are named', () => {
    const result = {
      job_id: 7,
      lower_bounds: ['exec_time_seconds', 'avg_cpu_percent', 'peak_memory_bytes'],
    } as Results['results'][number]
    expect(jobsNow([read('interrupted', 1)], [result], [], 3)[0]?.lowerBounds).toEqual([
      'duration_seconds',
      'cpu_percent_mean',
      'memory_peak_bytes',
    ])
  })
})

describe('counts', () => {
  it('are the same where those that are left out are none', () => {
    expect(sameStates({ success: 1, failed: 0 }, { success: 1 })).toBe(true)
    expect(sameStates({ success: 1 }, { success: 1, failed: 1 })).toBe(false)
  })
})

describe('how a workflow stands', () => {
  const none = {
    waiting: 0,
    running: 0,
    success: 0,
    failed: 0,
    timeout: 0,
    error: 0,
    interrupted: 0,
    cancelled: 0,
  }
  it.each([
    ['running', true, { waiting: 2 }, 0],
    ['success', false, { success: 2 }, 0],
    ['waiting', false, { waiting: 2 }, 0],
    ['interrupted', false, { success: 1, waiting: 1 }, 0],
    ['failed', false, { success: 1, failed: 1, cancelled: 1 }, 2],
    ['cancelled', false, { success: 1, cancelled: 1 }, 1],
  ] as const)('%s', (status, isRun, states, failed) => {
    const total = Object.values(states).reduce((sum, count) => sum + count, 0)
    const progress = { is_being_run: isRun, total, failed, states: { ...none, ...states } }
    expect(workflowStatus(progress)).toBe(status)
  })
})
