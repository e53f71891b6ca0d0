import { count } from '../../model/count.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { openLedger } from '../ledger/ledger.ts'
import { refuseWhileRun, workflowArgument, workflowRow } from './workflow-lookup.ts'

const definition = defineCommand({
  name: 'workflows reset',
  aliases: [],
  summary: 'Puts the jobs of a workflow back to waiting, so that they run again. Results are kept.',
  usage: 'workflows reset ID [options]',
  arguments: [workflowArgument],
  options: {
    failed: { type: 'boolean', says: 'only the jobs that have not succeeded' },
    ...globalOptions,
  },
  examples: ['jobmeter workflows reset 1', 'jobmeter workflows reset 1 --failed'],
})

export const execute = commandAction(definition, ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const ledger = openLedger(system, options.db)
  // Between the look and the deed no runner can come in.
  const { workflowId, changed } = ledger.batch(() => {
    const workflow = workflowRow(ledger, given.id)
    refuseWhileRun(system, ledger, workflow, 'reset')
    const which = options.failed ? 'unsuccessful' : 'all'
    return {
      workflowId: workflow.workflowId,
      changed: ledger.workflows.resetJobs(workflow.workflowId, which),
    }
  })
  ledger.close()
  console.print(
    options.format === 'json'
      ? `${jsonText({ workflow_id: workflowId, jobs_reset: changed }, 2)}\n`
      : `${count(changed, 'job')} of workflow ${workflowId} set back to waiting. Run: jobmeter run-jobs ${workflowId}\n`,
  )
  return 0
})
