import { policyJson, policyText } from '../../render/policies/policies-text.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { loadPolicies } from '../../service/policies/policy-file.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { policiesOption } from './agent-policies.ts'
import { policyNamed } from './policy-named.ts'

const definition = defineCommand({
  name: 'policies explain',
  aliases: [],
  summary: 'Says what one policy judges and why, and what a user should do.',
  usage: 'policies explain [options] NAME',
  arguments: [{ name: 'name', required: true, says: 'the name of a policy' }],
  options: { ...policiesOption, ...globalOptions },
  examples: ['jobmeter policies explain cpuhog', 'jobmeter policies explain vampire --format json'],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const { policies } = await loadPolicies(system, options.policies)
  const policy = policyNamed(policies, given.name)
  if (options.format === 'json') console.print(`${jsonText(policyJson(policy), 2)}\n`)
  else console.print(policyText(policy))
  return 0
})
