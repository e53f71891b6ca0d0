import type { Ledger } from '../store/ledger/ledger.ts'
import type { WorkflowHead } from '../model/workflow-head.ts'
import type { RunRow, StoredWorkflow } from '../store/ledger/workflow-store.ts'
import type { System } from '../system/system.ts'
import type { Life } from '../record/owner.ts'
import { lifeOfRunner, runnerLife } from '../record/runner-life.ts'
import type { LedgerReader } from '../store/ledger/ledger-reader.ts'
import { UserError } from './user-error.ts'

/** The number that was typed, or the newest. */
async function workflowNumber(reader: LedgerReader, typed: string | undefined): Promise<number> {
  if (typed === undefined) {
    const newest = await reader.workflows.newestWorkflowId()
    if (newest === undefined)
      throw new UserError('No workflows yet. Create one: jobmeter workflows create-from-spec SPEC')
    return newest
  }
  if (isWorkflowNumber(typed)) return Number(typed)
  const [job] = await reader.jobs.find({ name: typed, limit: 1 })
  if (job === undefined) return typedWorkflow(typed)
  throw new UserError(
    `"${typed}" is not a workflow id but the name of a job. See jobmeter reports job ${typed}`,
    'usage',
  )
}

const isWorkflowNumber = (typed: string): boolean =>
  /^\d+$/.test(typed) && Number.isSafeInteger(Number(typed))

export function typedWorkflow(typed: string): number {
  if (!isWorkflowNumber(typed))
    throw new UserError(`"${typed}" is not a workflow id. See jobmeter workflows list`, 'usage')
  return Number(typed)
}

export async function workflowRow(
  reader: LedgerReader,
  typed: string | undefined,
): Promise<WorkflowHead> {
  const workflowId = await workflowNumber(reader, typed)
  return (await reader.workflows.findWorkflowRow(workflowId)) ?? missing(typed)
}

export async function wholeWorkflow(
  reader: LedgerReader,
  typed: string | undefined,
): Promise<StoredWorkflow> {
  const workflowId = await workflowNumber(reader, typed)
  return (await reader.workflows.findWorkflow(workflowId)) ?? missing(typed)
}

/** The one that is to be changed, in the transaction that changes it: it is always named. */
export function workflowToChange(ledger: Ledger, typed: string): WorkflowHead {
  return ledger.workflows.findWorkflowRow(typedWorkflow(typed)) ?? missing(typed)
}

/** Whether somebody runs it. Where that cannot be known it must be assumed. */
export function isBeingRun(
  system: System,
  reader: LedgerReader,
  workflow: WorkflowHead,
  runs: readonly RunRow[],
): boolean {
  return lifeOfRunner(system, reader.path, workflow, runs) !== 'dead'
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
    : 'If it is gone, try again once it has given no sign of life for 5 minutes'
