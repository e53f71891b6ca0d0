import { jsonText } from '../../render/text/json-text.ts'
import { workflowJson } from '../../render/workflow/workflow-json.ts'
import { workflowStatusText } from '../../render/workflow/workflow-show-text.ts'
import { isBeingRun } from '../../record/runner-life.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { openLedger } from '../ledger/ledger.ts'
import { workflowRow } from '../../service/find-workflow.ts'
import { workflowOrNewest } from './workflow-argument.ts'

const definition = defineCommand({
  name: 'workflows status',
  aliases: [],
  summary: 'Shows how the jobs of a workflow stand, who runs it and what to do next.',
  usage: 'workflows status [ID] [options]',
  arguments: [workflowOrNewest],
  options: globalOptions,
  examples: ['jobmeter workflows status', 'jobmeter workflows status 1 --format json'],
})

export const execute = commandAction(definition, ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const ledger = openLedger(system, options.db)
  const workflow = workflowRow(ledger, given.id)
  const isRun = isBeingRun(system, ledger, workflow)
  ledger.close()
  console.print(
    options.format === 'json'
      ? `${jsonText(workflowJson(workflow), 2)}\n`
      : workflowStatusText(workflow, isRun, console.style(1)),
  )
  return 0
})
