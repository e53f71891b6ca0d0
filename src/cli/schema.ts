import { UserError } from '../service/user-error.ts'
import { specJsonSchema } from '../workflow/spec/json-schema.ts'
import { commandAction } from './command/action.ts'
import { defineCommand } from './command/define.ts'

const definition = defineCommand({
  name: 'schema',
  aliases: [],
  summary:
    'Prints the JSON Schema of workflow files, or of the configuration of the server or of the agent, for editors that complete and check them.',
  usage: 'schema [workflow|server|agent]',
  arguments: [{ name: 'file', required: false, says: 'workflow (the default), server or agent' }],
  options: {},
  examples: ['jobmeter schema > jobmeter.schema.json', 'jobmeter schema server'],
})

export const execute = commandAction(definition, async ({ arguments: { file }, console }) => {
  console.print(`${JSON.stringify(await schemaOf(file ?? 'workflow'), null, 2)}\n`)
  return 0
})

async function schemaOf(file: string): Promise<object> {
  if (file === 'workflow') return specJsonSchema()
  if (file === 'agent') {
    const { agentJsonSchema } = await import('../agent/config/agent-schema.ts')
    return agentJsonSchema()
  }
  if (file !== 'server')
    throw new UserError(`there is no schema of ${file}: workflow, server or agent`, 'usage')
  const { serverJsonSchema } = await import('../server/config/server-schema.ts')
  return serverJsonSchema()
}
