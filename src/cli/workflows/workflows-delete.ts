import { jsonText } from '../../render/text/json-text.ts'
import { deleteWorkflow } from '../../service/change-workflow.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { openLedger } from '../ledger/ledger.ts'
import { workflowArgument } from './workflow-argument.ts'

const definition = defineCommand({
  name: 'workflows delete',
  aliases: [],
  summary: 'Deletes a workflow with its jobs, results and samples. Its output directory stays.',
  usage: 'workflows delete ID [options]',
  arguments: [workflowArgument],
  options: globalOptions,
  examples: ['jobmeter workflows delete 1'],
})

export const execute = commandAction(definition, ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const ledger = openLedger(system, options.db)
  const workflowId = deleteWorkflow(system, ledger, given.id)
  ledger.close()
  console.print(
    options.format === 'json'
      ? `${jsonText({ workflow_id: workflowId, deleted: true }, 2)}\n`
      : `Deleted workflow ${workflowId}.\n`,
  )
  return 0
})
