import type { Ledger } from '../store/ledger.ts'
import type { WorkflowHead } from '../model/workflow-head.ts'
import type { StoredWorkflow } from '../store/workflow-store.ts'
import type { System } from '../system/system.ts'
import { isDead } from '../record/owner.ts'
import { UserError } from './user-error.ts'

/** The argument of every command about one workflow. */
export const workflowArgument = {
  name: 'id',
  required: true,
  says: "the workflow's number, as `jobmeter workflows list` shows it",
} as const

/** The number that was typed. */
function workflowNumber(typed: string): number {
  const workflowId = Number(typed)
  if (!/^\d+$/.test(typed) || !Number.isSafeInteger(workflowId))
    throw new UserError(`"${typed}" is no workflow number. See jobmeter workflows list`, 2)
  return workflowId
}

export function workflowRow(ledger: Ledger, typed: string): WorkflowHead {
  return ledger.workflows.findWorkflowRow(workflowNumber(typed)) ?? missing(typed)
}

export function wholeWorkflow(ledger: Ledger, typed: string): StoredWorkflow {
  return ledger.workflows.findWorkflow(workflowNumber(typed)) ?? missing(typed)
}

function missing(typed: string): never {
  throw new UserError(`there is no workflow ${typed}. See jobmeter workflows list`)
}

/** For what would pull the rug from under a runner. */
export function refuseWhileRun(system: System, workflow: WorkflowHead, what: string): void {
  const { workflowId, leasedBy } = workflow
  if (leasedBy === null || isDead(system, leasedBy)) return
  throw new UserError(
    `workflow ${workflowId} is being run by process ${leasedBy.pid} on ${leasedBy.host} and cannot be ${what} now. ` +
      `Wait for it, or stop it: jobmeter workflows cancel ${workflowId}`,
  )
}
