import type { WorkflowHead } from '../../model/workflow-head.ts'
import { utcTime } from '../units/iso-time.ts'
import type { ShownRun } from './workflow-show-text.ts'

/** A workflow as JSON lists have it. */
export function workflowJson(workflow: WorkflowHead): Record<string, unknown> {
  const { leasedBy } = workflow
  return {
    workflow_id: workflow.workflowId,
    name: workflow.name,
    user: workflow.user,
    created_at: utcTime(workflow.createdAt),
    spec_path: workflow.specPath,
    job_count: workflow.jobCount,
    states: { ...workflow.states },
    latest_run_id: workflow.latestRunId,
    runner: leasedBy === null ? null : { host: leasedBy.host, pid: leasedBy.pid },
  }
}

export function runJson(run: ShownRun): Record<string, unknown> {
  return {
    run_id: run.runId,
    started_at: utcTime(run.startedAt),
    ended_at: run.endedAt === null ? null : utcTime(Math.max(run.startedAt, run.endedAt)),
    host: run.host,
    output_directory: run.outputDirectory,
  }
}
