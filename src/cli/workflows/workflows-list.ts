import { jsonText } from '../../render/text/json-text.ts'
import { workflowJson } from '../../render/workflow/workflow-json.ts'
import { workflowListText } from '../../render/workflow/workflow-list-text.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, zoneOption } from '../command/define.ts'
import { openReader } from '../ledger/ledger.ts'
import { zoneAsked } from '../terminal/zone-asked.ts'

const definition = defineCommand({
  name: 'workflows list',
  aliases: [],
  summary: 'Lists all workflows, newest first.',
  usage: 'workflows list [options]',
  arguments: [],
  options: { ...zoneOption, ...globalOptions },
  examples: ['jobmeter workflows list', 'jobmeter workflows list --format json'],
})

export const execute = commandAction(definition, async ({ options, console }) => {
  const reader = openReader(realSystem({ ownsProcess: false }), options.db)
  const workflows = await reader.workflows.listWorkflows()
  await reader.close()
  console.print(
    options.format === 'json'
      ? `${jsonText(workflows.map(workflowJson), 2)}\n`
      : workflowListText(workflows, console.style(1), zoneAsked(options)),
  )
  return 0
})
