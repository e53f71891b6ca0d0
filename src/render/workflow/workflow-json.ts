import type { WorkflowHead } from '../../model/workflow-head.ts'
import { isoMicroseconds } from '../units/iso-time.ts'
import type { ShownRun } from './workflow-show-text.ts'

/** A workflow as JSON lists have it. */
export function workflowJson(workflow: WorkflowHead): Record<string, unknown> {
  const { leasedBy } = workflow
  return {
    workflow_id: workflow.workflowId,
    name: workflow.name,
    user: workflow.user,
    created_at: utc(workflow.createdAt),
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
    started_at: utc(run.startedAt),
    ended_at: run.endedAt === null ? null : utc(Math.max(run.startedAt, run.endedAt)),
    host: run.host,
    output_directory: run.outputDirectory,
  }
}

function utc(secondsSince1970: number): string | null {
  const text = isoMicroseconds(secondsSince1970)
  return text === null ? null : `${text}Z`
}
