import type { Ledger } from '../../store/ledger.ts'
import type { WorkflowHead } from '../../model/workflow-head.ts'
import type { StoredWorkflow } from '../../store/workflow-store.ts'
import type { System } from '../../system/system.ts'
import type { Life } from '../../record/owner.ts'
import { runnerLife } from '../../record/runner-life.ts'
import { noWorkflowsYet } from '../../render/workflow/workflow-words.ts'
import type { Console } from '../terminal/console.ts'
import { UserError } from '../terminal/user-error.ts'

/** The argument of every command about one workflow. */
export const workflowArgument = {
  name: 'id',
  required: true,
  says: "the workflow's number, as `jobmeter workflows list` shows it",
} as const

/** The same where nothing is lost by taking the newest. What cancels, resets or deletes always has to be told. */
export const workflowOrNewest = {
  name: 'id',
  required: false,
  says: "the workflow's number; without it, the newest workflow",
} as const

/** Says which workflow the answer is about, where nobody named one and the answer itself does not tell. */
export function tellNewest(
  { workflowId, name }: WorkflowHead,
  typed: string | undefined,
  format: string,
  console: Console,
): void {
  if (typed === undefined && format === 'table')
    console.complain(`workflow ${workflowId} (${name}), the newest`)
}

/** The number that was typed, or the newest. */
function workflowNumber(ledger: Ledger, typed: string | undefined): number {
  if (typed === undefined) {
    const newest = ledger.workflows.newestWorkflowId()
    if (newest === undefined) throw new UserError(noWorkflowsYet)
    return newest
  }
  return typedWorkflow(typed)
}

export function typedWorkflow(typed: string): number {
  const workflowId = Number(typed)
  if (!/^\d+$/.test(typed) || !Number.isSafeInteger(workflowId))
    throw new UserError(`"${typed}" is not a workflow number. See jobmeter workflows list`, 2)
  return workflowId
}

export function workflowRow(ledger: Ledger, typed: string | undefined): WorkflowHead {
  return ledger.workflows.findWorkflowRow(workflowNumber(ledger, typed)) ?? missing(typed)
}

export function wholeWorkflow(ledger: Ledger, typed: string | undefined): StoredWorkflow {
  return ledger.workflows.findWorkflow(workflowNumber(ledger, typed)) ?? missing(typed)
}

function missing(typed: string | undefined): never {
  throw new UserError(`there is no workflow ${typed ?? ''}. See jobmeter workflows list`)
}

/** For what would pull the rug from under a runner. */
export function refuseWhileRun(
  system: System,
  ledger: Ledger,
  workflow: WorkflowHead,
  what: string,
): void {
  const life = runnerLife(system, ledger, workflow)
  if (life !== 'dead')
    throw new UserError(
      `${runnerText(workflow, life)} and cannot be ${what} now. ${adviceFor(workflow, life)}`,
    )
}

/** For who wants to be the runner. */
export function refuseSecondRunner(workflow: WorkflowHead, life: Life): never {
  throw new UserError(`${runnerText(workflow, life)}. ${adviceFor(workflow, life)}`)
}

function runnerText({ workflowId, leasedBy }: WorkflowHead, life: Life): string {
  const who = leasedBy === null ? 'another process' : `process ${leasedBy.pid} on ${leasedBy.host}`
  return life === 'alive'
    ? `workflow ${workflowId} is being run by ${who}`
    : `workflow ${workflowId} may still be run by ${who}, which cannot be seen from here`
}

const adviceFor = ({ workflowId }: WorkflowHead, life: Life): string =>
  life === 'alive'
    ? `Wait for it, or stop it: jobmeter workflows cancel ${workflowId}`
    : 'If it is gone, try again when it has given no sign of life for 5 minutes'
