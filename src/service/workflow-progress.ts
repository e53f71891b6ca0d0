import type { EndEstimate, LiveWorkflow } from '../model/live.ts'
import type { WorkflowHead } from '../model/workflow-head.ts'
import type { LedgerReader } from '../store/ledger/ledger-reader.ts'
import { LedgerWatch } from '../store/ledger/ledger-watch.ts'
import type { RunRow } from '../store/ledger/workflow-store.ts'
import type { System } from '../system/system.ts'
import { isBeingRun } from './find-workflow.ts'
import { estimateOf, workflowOf } from './live/workflow-source.ts'

/** How far a workflow has come; events tell it from then on. */
export function workflowProgress(
  system: System,
  reader: LedgerReader,
  head: WorkflowHead,
  runs: readonly RunRow[],
): LiveWorkflow {
  const isRun = isBeingRun(system, reader, head, runs)
  const now = system.clock.wallSeconds()
  const estimate = isRun ? readEstimate(reader, head, runs.at(-1), now) : null
  return workflowOf(head, runs.at(-1), isRun, estimate)
}

/** Few are being run at a time: a connection for each costs less than keeping one. */
function readEstimate(
  { path }: LedgerReader,
  { workflowId }: WorkflowHead,
  run: RunRow | undefined,
  now: number,
): EndEstimate | null {
  const watch = LedgerWatch.open(path)
  if (watch === undefined) return null
  try {
    return estimateOf(watch, workflowId, run, now)
  } finally {
    watch.close()
  }
}
