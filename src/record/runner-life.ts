import type { WorkflowHead } from '../model/workflow-head.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import type { System } from '../system/system.ts'
import type { Life } from './owner.ts'
import { Owners } from './owners.ts'

type Leased = Pick<WorkflowHead, 'workflowId' | 'leasedBy' | 'createdAt'>

/** What is known of the runner of a workflow; `dead` where it has none. */
export function runnerLife(system: System, ledger: Ledger, workflow: Leased): Life {
  const { workflowId, leasedBy, createdAt } = workflow
  if (leasedBy === null) return 'dead'
  const heardAt = ledger.workflows.runs(workflowId).at(-1)?.startedAt ?? createdAt
  return new Owners(system, ledger.path).lifeOf(leasedBy, heardAt)
}

/** Whether somebody runs it. Where that cannot be known it must be assumed. */
export const isBeingRun = (system: System, ledger: Ledger, workflow: Leased): boolean =>
  runnerLife(system, ledger, workflow) !== 'dead'
