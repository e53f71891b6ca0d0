import type { Ledger } from '../store/ledger/ledger.ts'
import type { Pruned } from '../model/pruned.ts'
import type { System } from '../system/system.ts'
import { ourselves } from './owner.ts'
import { hasRunner } from './runner-life.ts'

/** What would be deleted of all that is older than this, and nothing else. */
export function planPrune(system: System, ledger: Ledger, before: number): Pruned {
  return {
    commands: ledger.jobs.prunable(before),
    workflows: ledger.workflows
      .idleWorkflows(before)
      .filter((workflow) => !hasRunner(system, ledger, workflow)),
  }
}

/**
 * Deletes single commands that started before then, and whole workflows of which nothing has happened since. What runs
 * stays. Each workflow goes in one transaction: a kill leaves it whole or takes it whole.
 */
export function pruneLedger(system: System, ledger: Ledger, before: number): Pruned {
  const plan = planPrune(system, ledger, before)
  const commands = { ...plan.commands, ...ledger.jobs.prune(before) }
  const workflows = plan.workflows.filter(({ workflowId }) =>
    deleteIfIdle(system, ledger, workflowId, before),
  )
  return { commands, workflows }
}

function deleteIfIdle(system: System, ledger: Ledger, workflowId: number, before: number): boolean {
  // With the lease nobody can begin to run it between the look and the deed.
  const isOurs = ledger.batch(() => {
    const [idle] = ledger.workflows.idleWorkflows(before, workflowId)
    if (idle === undefined || hasRunner(system, ledger, idle)) return false
    const { leasedBy } = idle
    return ledger.workflows.lease(workflowId, ourselves(system), leasedBy ?? undefined) === null
  })
  return isOurs && ledger.workflows.deleteWorkflow(workflowId)
}
