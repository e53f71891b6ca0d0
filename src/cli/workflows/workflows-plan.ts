import { jsonText } from '../../render/text/json-text.ts'
import { planDot } from '../../render/workflow/plan-dot.ts'
import { planMermaid } from '../../render/workflow/plan-mermaid.ts'
import { planText } from '../../render/workflow/plan-text.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { planHere } from '../../service/plan-here.ts'
import { readSpecFile, tellUnused } from '../run/spec-file.ts'

const definition = defineCommand({
  name: 'workflows plan',
  aliases: [],
  summary:
    'Shows what a workflow file would do: jobs, stages, critical path and peak resource use.',
  usage: 'workflows plan SPEC [options]',
  arguments: [
    { name: 'spec', required: true, says: 'the file: .yaml, .yml, .json, .json5 or .kdl' },
  ],
  options: {
    ...globalOptions,
    format: {
      type: 'choice',
      choices: ['table', 'json', 'dot', 'mermaid'],
      default: 'table',
      says: 'output format; dot is for Graphviz',
    },
  },
  examples: [
    'jobmeter workflows plan pipeline.yaml',
    'jobmeter workflows plan pipeline.yaml --format dot | dot -Tsvg > plan.svg',
  ],
})

export const execute = commandAction(definition, ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const spec = readSpecFile(system, given.spec)
  tellUnused(spec, console)
  const plan = planHere(system, spec.workflow)
  switch (options.format) {
    case 'json':
      console.print(`${jsonText(plan, 2)}\n`)
      break
    case 'dot':
      console.print(planDot(plan))
      break
    case 'mermaid':
      console.print(planMermaid(plan))
      break
    case 'table':
      console.print(planText(plan, console.style(1)))
      break
  }
  // As `run`, which refuses it: a script that looks first must not go on. What is for Slurm need not fit here.
  const isForSlurm = spec.workflow.kept['slurm_schedulers'] !== undefined
  return plan.does_not_fit.length === 0 || isForSlurm ? 0 : 1
})
