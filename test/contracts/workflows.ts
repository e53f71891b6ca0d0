import { noRequirements } from '../../src/model/job.ts'
import type { Owner } from '../../src/model/machine.ts'
import { defaultMonitor, type Workflow, type WorkflowJob } from '../../src/model/workflow.ts'
import type { Ledger } from '../../src/store/ledger/ledger.ts'
import type { AttemptEnd, AttemptRef } from '../../src/store/ledger/store.ts'
import type { NewWorkflow, StoredJob } from '../../src/store/ledger/workflow-store.ts'
import { someEnd, someStart } from './attempts.ts'

/** A job of a workflow, plain but for what a test names. */
export function someJob(name: string, differences: Partial<WorkflowJob> = {}): WorkflowJob {
  return {
    command: `echo ${name}`,
    invocationScript: null,
    environment: {},
    requirements: noRequirements,
    requirementsName: null,
    priority: 0,
    dependsOn: [],
    cancelOnBlockingJobFailure: true,
    failureHandler: null,
    inputFiles: [],
    outputFiles: [],
    inputUserData: [],
    outputUserData: [],
    kept: {},
    ...differences,
    name,
  }
}

/** A workflow of these jobs, as one hands it to the ledger. */
export function someWorkflow(
  jobs: readonly (string | WorkflowJob)[],
  differences: Partial<Workflow> = {},
): NewWorkflow {
  return {
    specPath: '/home/ada/pipeline.yaml',
    specText: 'name: pipeline\n',
    user: 'ada',
    createdAt: 1_700_000_000,
    workflow: {
      name: 'pipeline',
      user: null,
      description: null,
      project: null,
      metadata: null,
      environment: {},
      files: [],
      userData: [],
      actions: [],
      monitor: defaultMonitor,
      sortMethod: 'none',
      maxParallelJobs: null,
      strictFiles: false,
      kept: {},
      ...differences,
      jobs: jobs.map((job) => (typeof job === 'string' ? someJob(job) : job)),
    },
  }
}

export const someRun = {
  startedAt: 1_700_000_100,
  outputDirectory: '/home/ada/out',
  host: 'node01',
  workingDirectory: '/home/ada',
}

/** A workflow in a ledger, with short ways to its jobs. */
export class WorkflowInLedger {
  readonly id: number
  readonly jobs: readonly StoredJob[]
  readonly #ledger: Ledger

  constructor(ledger: Ledger, created: NewWorkflow) {
    this.#ledger = ledger
    this.id = ledger.workflows.createWorkflow(created)
    this.jobs = ledger.workflows.findWorkflow(this.id)?.jobs ?? []
  }

  jobId(name: string): number {
    const found = this.jobs.find(({ job }) => job.name === name)
    if (found === undefined) throw new Error(`no job is called ${name}`)
    return found.jobId
  }

  begin(name: string, runId: number, attempt: number, owner?: Owner): AttemptRef {
    const jobId = this.jobId(name)
    const taskId = `${this.id}-${name}-${attempt}`
    const start = someStart(taskId, {
      job: { name },
      startedAt: 1_700_000_100 + attempt,
      ...(owner === undefined ? {} : { owner }),
    })
    return this.#ledger.workflows.beginAttempt(
      { jobId, workflowId: this.id, runId, attempt },
      start,
    )
  }

  end(ref: AttemptRef, status: AttemptEnd['outcome']['status'] = 'success'): void {
    const exitCode = status === 'success' ? 0 : 1
    const outcome = { status, exitCode, signal: null, reason: null, stragglers: [] }
    this.#ledger.jobs.finish(ref, someEnd({ outcome }))
  }

  states(): Record<string, string> {
    const jobs = this.#ledger.workflows.findWorkflow(this.id)?.jobs ?? []
    return Object.fromEntries(jobs.map(({ job, state }) => [job.name, state]))
  }
}
