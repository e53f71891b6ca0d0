import type { LeftElsewhere } from '../model/elsewhere.ts'
import type { WorkflowHead } from '../model/workflow-head.ts'
import type { LedgerReader } from '../store/ledger/ledger-reader.ts'
import type { System } from '../system/system.ts'
import { isBeingRun } from './find-workflow.ts'

/** What a runner that is gone has left of a workflow where it was handed to; null where it left nothing, or is there. */
export async function leftElsewhere(
  system: System,
  reader: LedgerReader,
  head: WorkflowHead,
): Promise<LeftElsewhere | null> {
  const { workflowId, latestRunId, states } = head
  if (states.running + states.waiting === 0) return null
  const runs = await reader.workflows.runs(workflowId)
  const executor = runs.find(({ runId }) => runId === latestRunId)?.executor
  if (executor === undefined || isBeingRun(system, reader, head, runs)) return null
  const open = await reader.workflows.briefResults(
    workflowId,
    { status: ['waiting', 'running'] },
    [],
    ({ jobId }) => jobId,
  )
  return open.length === 0 ? null : { workflowId, executor, jobs: open.length }
}
