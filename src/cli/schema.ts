import { specJsonSchema } from '../workflow/spec/json-schema.ts'
import { commandAction } from './command/action.ts'
import { defineCommand } from './command/define.ts'

const definition = defineCommand({
  name: 'schema',
  aliases: [],
  summary: 'Prints the JSON Schema of workflow files, for editors that complete and check them.',
  usage: 'schema',
  arguments: [],
  options: {},
  examples: ['jobmeter schema > jobmeter.schema.json'],
})

export const execute = commandAction(definition, ({ console }) => {
  console.print(`${JSON.stringify(specJsonSchema(), null, 2)}\n`)
  return 0
})
