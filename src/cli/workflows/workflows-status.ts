import { jsonText } from '../../render/text/json-text.ts'
import { workflowJson } from '../../render/workflow/workflow-json.ts'
import { workflowStatusText } from '../../render/workflow/workflow-show-text.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { openReader } from '../ledger/ledger.ts'
import { isBeingRun, workflowRow } from '../../service/find-workflow.ts'
import { leftElsewhere } from '../../service/left-elsewhere.ts'
import { workflowOrNewest } from './workflow-argument.ts'

const definition = defineCommand({
  name: 'workflows status',
  aliases: [],
  summary: "Shows the state of a workflow's jobs, who runs it and what to do next.",
  usage: 'workflows status [ID] [options]',
  arguments: [workflowOrNewest],
  options: globalOptions,
  examples: ['jobmeter workflows status', 'jobmeter workflows status 1 --format json'],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const reader = openReader(system, options.db)
  const workflow = await workflowRow(reader, given.id)
  const runs = await reader.workflows.runs(workflow.workflowId)
  const isRun = isBeingRun(system, reader, workflow, runs)
  const left = await leftElsewhere(system, reader, workflow)
  await reader.close()
  console.print(
    options.format === 'json'
      ? `${jsonText(workflowJson(workflow), 2)}\n`
      : workflowStatusText(workflow, { isBeingRun: isRun, left }, console.style(1)),
  )
  return 0
})
