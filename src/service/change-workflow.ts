import type { JobState } from '../model/job-state.ts'
import type { Owner } from '../model/machine.ts'
import type { RunNotice } from '../model/run-notice.ts'
import type { WorkflowHead } from '../model/workflow-head.ts'
import { ourselves } from '../record/owner.ts'
import { interruptDead } from '../record/open-ledger.ts'
import { Owners } from '../record/owners.ts'
import { runnerLife } from '../record/runner-life.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import type { System } from '../system/system.ts'
import { endLocalLeftovers } from '../workflow/executors/local-executor.ts'
import { endLeftElsewhere } from './executors/end-left.ts'
import { refuseWhileRun, workflowToChange } from './find-workflow.ts'
import { seeToContainers } from './left-containers.ts'
import { seeToLeftovers } from './leftovers.ts'
import { UserError } from './user-error.ts'

export interface Cancelled {
  readonly workflowId: number
  /** The process that was asked to stop; null where nobody runs it. */
  readonly runnerPid: number | null
  /** Jobs that looked as if they ran, and are cancelled now. */
  readonly jobs: number
  /** What a killed runner had left running, and was ended. */
  readonly leftovers: readonly number[]
  /** A daemon of containers could not be asked what the runner left there. */
  readonly mayHaveLeft: boolean
}

/** Has the runner of a workflow stop; without one, what looks as if it ran is cancelled. */
export async function cancelWorkflow(
  system: System,
  ledger: Ledger,
  typed: string,
  tell: (notice: RunNotice) => void,
): Promise<Cancelled> {
  const workflow = workflowToChange(ledger, typed)
  const { workflowId } = workflow
  const runnerPid = askRunner(system, ledger, workflow)
  if (runnerPid !== null)
    return { workflowId, runnerPid, jobs: 0, leftovers: [], mayHaveLeft: false }
  interruptDead(ledger, new Owners(system, ledger.path), workflowId)
  const left = workflowToChange(ledger, typed)
  const us = ourselves(system)
  // What a killed runner left running would not be cancelled by its name alone.
  const leftovers =
    left.states.interrupted > 0 ? await endLeftovers(system, ledger, workflowId, us) : []
  const stored = ledger.workflows.findWorkflow(workflowId)
  const seen = stored && (await seeToContainers(system, ledger, stored, us, tell))
  const jobs = cancelWithoutRunner(ledger, left)
  return { workflowId, runnerPid, jobs, leftovers, mayHaveLeft: seen?.isUnsure === true }
}

const endLeftovers = (
  system: System,
  ledger: Ledger,
  workflowId: number,
  us: Owner,
): Promise<readonly number[]> =>
  seeToLeftovers(ledger, workflowId, { us, replaced: null }, async (left) =>
    endLocalLeftovers(system, us, await endLeftElsewhere(system, ledger.path, left)),
  )

/** The pid that was asked to stop; null where nobody runs it. */
function askRunner(system: System, ledger: Ledger, workflow: WorkflowHead): number | null {
  const { workflowId, leasedBy } = workflow
  if (leasedBy === null || runnerLife(system, ledger, workflow) === 'dead') return null
  const { pid, host } = leasedBy
  // In another container the same pid is another process.
  if (!new Owners(system, ledger.path).isWithinReach(leasedBy))
    throw new UserError(
      `workflow ${workflowId} is run by process ${pid} on ${host}, which cannot be reached from here. Cancel it there`,
    )
  if (!system.processes.signal(pid, 'SIGTERM'))
    throw new UserError(
      `you are not allowed to stop process ${pid}, which runs workflow ${workflowId}; ask its owner`,
    )
  return pid
}

/** What a dead runner left: its running jobs are called interrupted by now. */
function cancelWithoutRunner({ batch, workflows }: Ledger, workflow: WorkflowHead): number {
  return batch(() => {
    const { workflowId, leasedBy } = workflow
    if (leasedBy !== null) workflows.release(workflowId, leasedBy)
    const left = workflows
      .findJobs({ workflowId })
      .filter(({ state }) => state === 'running' || state === 'interrupted')
    workflows.setStates(left.map(({ jobId }) => ({ jobId, state: 'cancelled' })))
    return left.length
  })
}

/** Puts jobs that stand so back to waiting, so that they run again; answers how many. Results are kept. */
export function resetWorkflow(
  system: System,
  ledger: Ledger,
  typed: string,
  states: readonly JobState[],
): { readonly workflowId: number; readonly jobs: number } {
  // Between the look and the deed no runner can come in.
  return ledger.batch(() => {
    const workflow = workflowToChange(ledger, typed)
    refuseWhileRun(system, ledger, workflow, 'reset')
    const { workflowId } = workflow
    return { workflowId, jobs: ledger.workflows.resetJobs(workflowId, states) }
  })
}

/** Removes a workflow with all its jobs and results; answers its number. */
export function deleteWorkflow(system: System, ledger: Ledger, typed: string): number {
  // With the lease nobody can begin to run it between the look and the deed.
  const { workflowId } = ledger.batch(() => {
    const workflow = workflowToChange(ledger, typed)
    refuseWhileRun(system, ledger, workflow, 'deleted')
    const dead = workflow.leasedBy ?? undefined
    ledger.workflows.lease(workflow.workflowId, ourselves(system), dead)
    return workflow
  })
  ledger.workflows.deleteWorkflow(workflowId)
  return workflowId
}
