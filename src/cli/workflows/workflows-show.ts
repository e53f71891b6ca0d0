import { jsonText } from '../../render/text/json-text.ts'
import { runJson, workflowJson } from '../../render/workflow/workflow-json.ts'
import { workflowShowText } from '../../render/workflow/workflow-show-text.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, zoneOption } from '../command/define.ts'
import { openReader } from '../ledger/ledger.ts'
import { isBeingRun, wholeWorkflow } from '../../service/find-workflow.ts'
import { leftElsewhere } from '../../service/left-elsewhere.ts'
import { workflowOrNewest } from './workflow-argument.ts'
import { zoneAsked } from '../terminal/zone-asked.ts'

const definition = defineCommand({
  name: 'workflows show',
  aliases: [],
  summary: 'Shows one workflow: where it came from, its runs and the state of its jobs.',
  usage: 'workflows show [ID] [options]',
  arguments: [workflowOrNewest],
  options: {
    spec: { type: 'boolean', says: 'print the file it was created from, as it was then' },
    ...zoneOption,
    ...globalOptions,
  },
  examples: ['jobmeter workflows show 1', 'jobmeter workflows show 1 --spec > pipeline.yaml'],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const reader = openReader(system, options.db)
  const stored = await wholeWorkflow(reader, given.id)
  const runs = await reader.workflows.runs(stored.workflowId)
  const isRun = isBeingRun(system, reader, stored, runs)
  const left = await leftElsewhere(system, reader, stored)
  await reader.close()
  if (options.spec) console.print(stored.specText)
  else if (options.format === 'json') {
    // The jobs are many, and `jobs list` has them.
    const workflow = { ...stored.workflow, jobs: undefined }
    const json = { ...workflowJson(stored), runs: runs.map(runJson), workflow }
    console.print(`${jsonText(json, 2)}\n`)
  } else {
    const { workflow } = stored
    const shown = { head: stored, workflow, runs, isBeingRun: isRun, left }
    console.print(workflowShowText(shown, console.style(1), zoneAsked(options)))
  }
  return 0
})
