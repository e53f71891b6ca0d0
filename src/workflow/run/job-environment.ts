import type { Workflow, WorkflowJob } from '../../model/workflow.ts'

export interface JobIdentity {
  readonly workflowId: number
  readonly runId: number
  readonly jobId: number
  readonly attempt: number
  readonly outputDirectory: string
}

/** The environment of one attempt: the runner's own, the workflow's, the job's, and who it is. */
export function jobEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  workflow: Workflow,
  job: WorkflowJob,
  identity: JobIdentity,
  gpus: readonly string[],
): Record<string, string | undefined> {
  return {
    ...base,
    ...workflow.environment,
    ...job.environment,
    ...visibleGpus(job, gpus),
    JOBMETER_WORKFLOW_ID: String(identity.workflowId),
    JOBMETER_RUN_ID: String(identity.runId),
    JOBMETER_JOB_ID: String(identity.jobId),
    JOBMETER_JOB_NAME: job.name,
    JOBMETER_ATTEMPT: String(identity.attempt),
    JOBMETER_OUTPUT_DIR: identity.outputDirectory,
  }
}

/** A job that asked for none, in so many words, sees none; one that did not say sees what the runner sees. */
function visibleGpus(job: WorkflowJob, gpus: readonly string[]): Record<string, string> {
  if (job.requirements.gpus === null) return {}
  const list = gpus.join(',')
  return { CUDA_VISIBLE_DEVICES: list, ROCR_VISIBLE_DEVICES: list }
}
