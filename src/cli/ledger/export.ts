import { jsonArrayText, jsonText } from '../../render/text/json-text.ts'
import { recordJson, type RecordJson } from '../../render/record/record-json.ts'
import type { Store } from '../../store/ledger/store.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
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
  const records = recordsOf(store)
  console.printAll(options.format === 'json' ? jsonArrayText(records) : linesOf(records))
  store.close()
  return 0
})

function* recordsOf(store: Store): Iterable<RecordJson> {
  for (const record of store.each({}, 'oldest first')) yield recordJson(record)
}

function* linesOf(records: Iterable<RecordJson>): Iterable<string> {
  for (const record of records) yield `${jsonText(record)}\n`
}
