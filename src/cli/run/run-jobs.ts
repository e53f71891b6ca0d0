import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { openLedgerPatiently } from '../ledger/ledger.ts'
import { teamLedgerAsked } from '../ledger/team-ledger.ts'
import { refuseTeamLedger } from '../ledger/ledger-place.ts'
import { workflowRunOptions } from './run-settings.ts'
import { typedWorkflow } from '../../service/find-workflow.ts'
import { runStoredWorkflow } from './workflow-run.ts'

const definition = defineCommand({
  name: 'run-jobs',
  aliases: [],
  summary: 'Runs the jobs of a workflow in the ledger that have not succeeded yet.',
  usage: 'run-jobs ID [options]',
  arguments: [{ name: 'id', required: true, says: 'the workflow id' }],
  options: { ...workflowRunOptions, ...globalOptions },
  examples: ['jobmeter run-jobs 1', 'jobmeter run-jobs 1 --max-parallel-jobs 2 --output-dir out'],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const workflowId = typedWorkflow(given.id)
  const system = realSystem({ ownsProcess: true })
  // The numbers of workflows that a team shows are not those of this machine.
  if (teamLedgerAsked(options.db) !== undefined) refuseTeamLedger()
  const ledger = openLedgerPatiently(system, options.db, options)
  // As before, and not told as what could be changed: there is no option for that here.
  const { monitored } = ledger.workflows.settingsOf(workflowId)
  const code = await runStoredWorkflow(system, ledger, { workflowId, monitored }, options, console)
  return system.processes.exit(code)
})
