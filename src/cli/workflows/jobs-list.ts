import { jobStates } from '../../model/job-state.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { workflowJobJson, workflowJobsText } from '../../render/workflow/workflow-jobs.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { openLedger } from '../ledger/ledger.ts'
import { tellNewest, wholeWorkflow, workflowOrNewest } from './workflow-lookup.ts'

const definition = defineCommand({
  name: 'jobs list',
  aliases: [],
  summary: 'Lists the jobs of a workflow in the order of its file.',
  usage: 'jobs list [ID] [options]',
  arguments: [workflowOrNewest],
  options: {
    state: { type: 'choice', choices: jobStates, says: 'only jobs that stand so' },
    ...globalOptions,
  },
  examples: ['jobmeter jobs list', 'jobmeter jobs list 1 --state failed --format json'],
})

export const execute = commandAction(definition, ({ options, arguments: given, console }) => {
  const ledger = openLedger(realSystem({ ownsProcess: false }), options.db)
  const workflow = wholeWorkflow(ledger, given.id)
  const { workflowId, jobs: all } = workflow
  ledger.close()
  tellNewest(workflow, given.id, options.format, console)
  const jobs = all.filter(({ state }) => options.state === undefined || state === options.state)
  console.print(
    options.format === 'json'
      ? `${jsonText({ workflow_id: workflowId, jobs: jobs.map(workflowJobJson) }, 2)}\n`
      : jobs.length === 0 && all.length > 0
        ? `No job of workflow ${workflowId} is ${options.state}. See jobmeter jobs list ${workflowId}\n`
        : workflowJobsText(jobs, console.style(1)),
  )
  return 0
})
