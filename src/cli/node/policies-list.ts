import { policyFigures } from '../../analysis/policies/figure-list.ts'
import { policyJson, policyListText } from '../../render/policies/policies-text.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { loadPolicies } from '../../service/policies/policy-file.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { policiesOption } from './agent-policies.ts'

const definition = defineCommand({
  name: 'policies list',
  aliases: [],
  summary: 'Lists all policies, and whether they are switched on.',
  usage: 'policies list [options]',
  description:
    'The shipped policies as the policy file changes them, and those that it adds. Errors in the file are listed with their lines, and the exit code is 2.',
  arguments: [],
  options: {
    figures: { type: 'boolean', says: 'list the figures that policies can use instead' },
    ...policiesOption,
    ...globalOptions,
  },
  examples: ['jobmeter policies list', 'jobmeter policies list --figures'],
})

export const execute = commandAction(definition, async ({ options, console }) => {
  const isJson = options.format === 'json'
  if (options.figures) {
    const lines = Object.entries(policyFigures).map(
      ([name, { unit, says, scopes }]) => `${name} (${unit}; ${scopes.join(', ')}): ${says}\n`,
    )
    console.print(isJson ? `${jsonText(policyFigures, 2)}\n` : lines.join(''))
    return 0
  }
  const system = realSystem({ ownsProcess: false })
  const { path, policies } = await loadPolicies(system, options.policies)
  if (isJson) console.print(`${jsonText({ file: path, policies: policies.map(policyJson) }, 2)}\n`)
  else console.print(policyListText(policies, path))
  return 0
})
