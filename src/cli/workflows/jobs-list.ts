import { jobStates } from '../../model/job-state.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { workflowJobJson, workflowJobsText } from '../../render/workflow/workflow-jobs.ts'
import { leftText } from '../../render/workflow/workflow-words.ts'
import { leftElsewhere } from '../../service/left-elsewhere.ts'
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
  const system = realSystem({ ownsProcess: false })
  const reader = openReader(system, options.db)
  const workflow = await wholeWorkflow(reader, given.id)
  const { workflowId, jobs: all } = workflow
  const left = await leftElsewhere(system, reader, workflow)
  const waits = await reader.workflows.briefResults(
    workflowId,
    { status: ['waiting'] },
    [],
    ({ jobId, record }) => [jobId, record.reason ?? ''] as const,
  )
  await reader.close()
  tellNewest(workflow, given.id, options.format, console)
  const asked = statusesAsked(options, jobStates)
  const jobs = all.filter(({ state }) => asked?.includes(state) !== false)
  console.print(
    options.format === 'json'
      ? `${jsonText({ workflow_id: workflowId, jobs: jobs.map(workflowJobJson) }, 2)}\n`
      : jobs.length === 0 && all.length > 0
        ? `No job of workflow ${workflowId} is ${asked?.join(' or ')}. See jobmeter jobs list ${workflowId}\n`
        : workflowJobsText(jobs, new Map(waits), console.style(1)),
  )
  if (left !== null && options.format !== 'json') console.print(`${leftText(left)}\n`)
  return 0
})
