import { jsonText } from '../render/json-text.ts'
import { recordJson } from '../render/record-json.ts'
import { realSystem } from '../system/real.ts'
import { commandAction } from './command/action.ts'
import { defineCommand, globalOptions } from './command/define.ts'
import { openStore } from './ledger.ts'

const definition = defineCommand({
  name: 'export',
  aliases: [],
  summary: 'Prints every record, oldest first, one JSON object a line: a jobs_history.jsonl.',
  usage: 'export [options]',
  arguments: [],
  options: {
    ...globalOptions,
    format: {
      type: 'choice',
      choices: ['jsonl', 'json'],
      default: 'jsonl',
      says: 'an object a line, or one array',
    },
  },
  examples: ['jobmeter export > jobs_history.jsonl', 'jobmeter export --format json'],
})

export const execute = commandAction(definition, ({ options, console }) => {
  const store = openStore(realSystem({ ownsProcess: false }), options.db)
  const records = store.find({}).toReversed()
  store.close()
  if (options.format === 'json') {
    console.print(`${jsonText(records.map(recordJson), 2)}\n`)
    return 0
  }
  for (const record of records) console.print(`${jsonText(recordJson(record))}\n`)
  return 0
})
