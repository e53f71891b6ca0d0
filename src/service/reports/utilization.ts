import { checkUtilization } from '../../analysis/workflow/utilization.ts'
import type { WorkflowHead } from '../../model/workflow-head.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import { knownRun } from '../known-run.ts'

export interface UtilizationQuery {
  /** The latest result of each job counts if no run is named. */
  readonly runId: number | undefined
  readonly minOverPercent: number
  readonly includeFailed: boolean
}

/** What the jobs of a workflow used against what they asked for. */
export async function utilizationReport(
  { workflows }: Pick<LedgerReader, 'workflows'>,
  workflow: WorkflowHead,
  { runId: asked, minOverPercent, includeFailed }: UtilizationQuery,
) {
  const { workflowId } = workflow
  const runId = knownRun(workflow, asked)
  const rows = await workflows.utilizationRows(workflowId, runId === null ? {} : { runId })
  return { workflowId, runId, ...checkUtilization(rows, { minOverPercent, includeFailed }) }
}
