import type { WorkflowHead } from '../model/workflow-head.ts'
import { count } from '../model/count.ts'
import { UserError } from './user-error.ts'

/** The run that was asked for; null for none. */
export function knownRun(workflow: WorkflowHead, runId: number | undefined): number | null {
  const { workflowId, latestRunId } = workflow
  if (runId === undefined) return null
  if (Number.isInteger(runId) && runId >= 1 && runId <= (latestRunId ?? 0)) return runId
  const runs = count(latestRunId ?? 0, 'run')
  throw new UserError(
    `workflow ${workflowId} has had ${runs}. See jobmeter workflows show ${workflowId}`,
  )
}
