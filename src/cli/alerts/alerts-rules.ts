import { figureNames } from '../../alert/figure-names.ts'
import { listedRules } from '../../service/alerts/listed-rules.ts'
import { ruleJson, ruleListText } from '../../render/alerts/rule-list.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { realSystem } from '../../system/real.ts'
import { alertsOption } from '../command/alerts-option.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'

const definition = defineCommand({
  name: 'alerts rules',
  aliases: [],
  summary: 'Shows the rules that apply: the shipped ones with what your alert file changes.',
  usage: 'alerts rules [options]',
  description:
    'Errors in the alert file are told with their places. Without an alert file nothing is watched; the shipped rules are shown as they would be.',
  arguments: [],
  options: {
    names: { type: 'boolean', says: 'show the names that rules can use instead' },
    ...alertsOption,
    ...globalOptions,
  },
  examples: ['jobmeter alerts rules', 'jobmeter alerts rules --names'],
})

export const execute = commandAction(definition, async ({ options, console }) => {
  const isJson = options.format === 'json'
  if (options.names) {
    const names = {
      job: figureNames('look', 'job'),
      gpu: figureNames('look', 'gpu'),
      end: figureNames('end', 'job'),
    }
    console.print(
      isJson
        ? `${jsonText(names, 2)}\n`
        : Object.entries(names)
            .map(([where, all]) => `${where}:\n${all.map((name) => `  ${name}\n`).join('')}`)
            .join('\n'),
    )
    return 0
  }
  const system = realSystem({ ownsProcess: false })
  const { path, rules: listed } = await listedRules(system, process.env, options.alerts)
  console.print(
    isJson
      ? `${jsonText({ file: path, rules: listed.map(ruleJson) }, 2)}\n`
      : ruleListText(listed, path, console.style(1)),
  )
  return 0
})
