import { toolAndScript } from '../../model/command-line.ts'
import type { Job } from '../../model/job.ts'
import type { WorkflowJob } from '../../model/workflow.ts'

/** A workflow's job as the ledger knows jobs. */
export function describeJob(
  job: WorkflowJob,
  command: readonly string[],
  workingDirectory: string,
): Job {
  const { tool, script } = toolAndScript(command)
  return {
    name: job.name,
    tool,
    script,
    params: {},
    tags: [],
    command,
    workingDirectory,
    requirements: job.requirements,
  }
}
