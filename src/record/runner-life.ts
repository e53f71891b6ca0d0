import type { WorkflowHead } from '../model/workflow-head.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import type { RunRow } from '../store/ledger/workflow-store.ts'
import type { System } from '../system/system.ts'
import type { Life } from './owner.ts'
import { Owners } from './owners.ts'

type Leased = Pick<WorkflowHead, 'workflowId' | 'leasedBy' | 'createdAt'>

/** What is known of the runner of a workflow; `dead` where it has none. */
export function runnerLife(system: System, ledger: Ledger, workflow: Leased): Life {
  return lifeOfRunner(system, ledger.path, workflow, ledger.workflows.runs(workflow.workflowId))
}

/** The same for who has asked for its runs already. */
export function lifeOfRunner(
  system: System,
  ledgerPath: string,
  { leasedBy, createdAt }: Leased,
  runs: readonly RunRow[],
): Life {
  if (leasedBy === null) return 'dead'
  const heardAt = runs.at(-1)?.startedAt ?? createdAt
  return new Owners(system, ledgerPath).lifeOf(leasedBy, heardAt)
}

/** Whether somebody runs it. Where that cannot be known it must be assumed. */
export const hasRunner = (system: System, ledger: Ledger, workflow: Leased): boolean =>
  runnerLife(system, ledger, workflow) !== 'dead'
