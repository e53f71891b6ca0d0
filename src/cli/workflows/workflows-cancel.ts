import { jsonText } from '../../render/text/json-text.ts'
import type { Ledger } from '../../store/ledger.ts'
import type { WorkflowHead } from '../../model/workflow-head.ts'
import { realSystem } from '../../system/real.ts'
import type { System } from '../../system/system.ts'
import { endLocalLeftovers } from '../../workflow/executors/local-executor.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { openLedger } from '../ledger/ledger.ts'
import { leftoversText, seeToLeftovers } from '../run/leftovers.ts'
import { ourselves } from '../../record/owner.ts'
import { Owners } from '../../record/owners.ts'
import { runnerLife } from '../../record/runner-life.ts'
import type { Console } from '../terminal/console.ts'
import { UserError } from '../terminal/user-error.ts'
import { workflowArgument, workflowRow } from './workflow-lookup.ts'

const definition = defineCommand({
  name: 'workflows cancel',
  aliases: [],
  summary: 'Has the runner of a workflow stop. Without one, what looks as if it ran is cancelled.',
  usage: 'workflows cancel ID [options]',
  arguments: [workflowArgument],
  options: globalOptions,
  examples: ['jobmeter workflows cancel 1'],
})

export const execute = commandAction(definition, ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const ledger = openLedger(system, options.db)
  const workflow = workflowRow(ledger, given.id)
  const { workflowId } = workflow
  const asked = askRunner(system, ledger, workflow)
  // What a killed runner left running would not be cancelled by its name alone.
  if (asked === null && workflow.states.interrupted > 0)
    endLeftovers(system, ledger, workflowId, console)
  const cancelled = asked === null ? cancelWithoutRunner(ledger, workflow) : 0
  ledger.close()
  const json = { workflow_id: workflowId, runner_pid: asked, jobs_cancelled: cancelled }
  console.print(
    options.format === 'json'
      ? `${jsonText(json, 2)}\n`
      : asked === null
        ? `Nobody runs workflow ${workflowId}. ${cancelled} job${cancelled === 1 ? '' : 's'} cancelled.\n`
        : `Asked process ${asked}, which runs workflow ${workflowId}, to stop. See jobmeter workflows status ${workflowId}\n`,
  )
  return 0
})

function endLeftovers(system: System, ledger: Ledger, workflowId: number, console: Console): void {
  const us = ourselves(system)
  const killed = seeToLeftovers(ledger, workflowId, { us, replaced: null }, (left) =>
    endLocalLeftovers(system, us, left),
  )
  if (killed.length > 0) console.complain(leftoversText(killed))
}

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
    throw new UserError(`process ${pid}, which runs workflow ${workflowId}, is not yours to stop`)
  return pid
}

/** What a dead runner left: opening the ledger has called its running jobs interrupted. */
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
