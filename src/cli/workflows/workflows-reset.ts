import { jobStates } from '../../model/job-state.ts'
import { count } from '../../model/count.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { resetWorkflow } from '../../service/change-workflow.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { statusesAsked, statusFilter } from '../command/status-filter.ts'
import { openLedger } from '../ledger/ledger.ts'
import { workflowArgument } from './workflow-argument.ts'

const definition = defineCommand({
  name: 'workflows reset',
  aliases: [],
  summary: 'Sets jobs of a workflow back to waiting, so that they run again. Results are kept.',
  usage: 'workflows reset ID [options]',
  arguments: [workflowArgument],
  options: {
    ...statusFilter(jobStates),
    ...globalOptions,
  },
  examples: ['jobmeter workflows reset 1', 'jobmeter workflows reset 1 --failed'],
})

export const execute = commandAction(definition, ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const ledger = openLedger(system, options.db)
  const states = statusesAsked(options, jobStates) ?? jobStates
  const { workflowId, jobs } = resetWorkflow(system, ledger, given.id, states)
  ledger.close()
  console.print(
    options.format === 'json'
      ? `${jsonText({ workflow_id: workflowId, jobs_reset: jobs }, 2)}\n`
      : `${count(jobs, 'job')} of workflow ${workflowId} set back to waiting. Run them: jobmeter run-jobs ${workflowId}\n`,
  )
  return 0
})
