import type { WorkflowHead } from '../model/workflow-head.ts'
import { UserError } from './user-error.ts'

/** The run that was asked for; null for none. */
export function knownRun(workflow: WorkflowHead, runId: number | undefined): number | null {
  const { workflowId, latestRunId } = workflow
  if (runId === undefined) return null
  if (runId <= (latestRunId ?? 0)) return runId
  throw new UserError(
    `workflow ${workflowId} has had ${latestRunId ?? 0} runs. See jobmeter workflows show ${workflowId}`,
  )
}
