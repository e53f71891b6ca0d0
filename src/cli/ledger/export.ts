import { jsonArrayText, jsonText } from '../../render/text/json-text.ts'
import { recordJson } from '../../render/record/record-json.ts'
import type { JobRecord } from '../../model/record.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { openReader } from './ledger.ts'

const definition = defineCommand({
  name: 'export',
  aliases: [],
  summary:
    'Prints every record as JSON, oldest first, one object per line, as in a jobs_history.jsonl.',
  usage: 'export [options]',
  arguments: [],
  options: {
    ...globalOptions,
    format: {
      type: 'choice',
      choices: ['jsonl', 'json'],
      default: 'jsonl',
      says: 'one object per line, or one array',
    },
  },
  examples: ['jobmeter export > jobs_history.jsonl', 'jobmeter export --format json'],
})

export const execute = commandAction(definition, async ({ options, console }) => {
  const reader = openReader(realSystem({ ownsProcess: false }), options.db)
  const records = reader.jobs.each({}, 'oldest first')
  await console.printEach(
    options.format === 'json' ? jsonArrayText(records, recordJson) : linesOf(records),
  )
  await reader.close()
  return 0
})

async function* linesOf(portions: AsyncIterable<readonly JobRecord[]>): AsyncIterable<string> {
  for await (const records of portions)
    for (const record of records) yield `${jsonText(recordJson(record))}\n`
}
