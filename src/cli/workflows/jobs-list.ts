import { jobStates } from '../../model/job-state.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { workflowJobJson, workflowJobsText } from '../../render/workflow/workflow-jobs.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { statusesAsked, statusFilter } from '../command/status-filter.ts'
import { openReader } from '../ledger/ledger.ts'
import { wholeWorkflow } from '../../service/find-workflow.ts'
import { tellNewest, workflowOrNewest } from './workflow-argument.ts'

const definition = defineCommand({
  name: 'jobs list',
  aliases: [],
  summary: 'Lists the jobs of a workflow in the order of its file.',
  usage: 'jobs list [ID] [options]',
  arguments: [workflowOrNewest],
  options: {
    ...statusFilter(jobStates),
    ...globalOptions,
  },
  examples: ['jobmeter jobs list', 'jobmeter jobs list 1 --status failed --format json'],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const reader = openReader(realSystem({ ownsProcess: false }), options.db)
  const workflow = await wholeWorkflow(reader, given.id)
  const { workflowId, jobs: all } = workflow
  await reader.close()
  tellNewest(workflow, given.id, options.format, console)
  const asked = statusesAsked(options, jobStates)
  const jobs = all.filter(({ state }) => asked?.includes(state) !== false)
  console.print(
    options.format === 'json'
      ? `${jsonText({ workflow_id: workflowId, jobs: jobs.map(workflowJobJson) }, 2)}\n`
      : jobs.length === 0 && all.length > 0
        ? `No job of workflow ${workflowId} is ${asked?.join(' or ')}. See jobmeter jobs list ${workflowId}\n`
        : workflowJobsText(jobs, console.style(1)),
  )
  return 0
})
