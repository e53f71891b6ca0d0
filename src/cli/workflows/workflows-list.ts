import type { LeftElsewhere } from '../../model/elsewhere.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { workflowJson } from '../../render/workflow/workflow-json.ts'
import { workflowListText } from '../../render/workflow/workflow-list-text.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, zoneOption } from '../command/define.ts'
import { openReader } from '../ledger/ledger.ts'
import { leftElsewhere } from '../../service/left-elsewhere.ts'
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
  const system = realSystem({ ownsProcess: false })
  const reader = openReader(system, options.db)
  const workflows = await reader.workflows.listWorkflows()
  const left: LeftElsewhere[] = []
  for (const workflow of workflows) {
    const found = await leftElsewhere(system, reader, workflow)
    if (found !== null) left.push(found)
  }
  await reader.close()
  console.print(
    options.format === 'json'
      ? `${jsonText(workflows.map(workflowJson), 2)}\n`
      : workflowListText(workflows, left, console.style(1), zoneAsked(options), console.width),
  )
  return 0
})
