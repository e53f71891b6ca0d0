import { detailsText } from '../render/details-text.ts'
import { jsonText } from '../render/json-text.ts'
import { recordJson } from '../render/record-json.ts'
import { realSystem } from '../system/real.ts'
import { commandAction } from './command/action.ts'
import { defineCommand, globalOptions } from './command/define.ts'
import { findJob, openStore } from './ledger.ts'

const definition = defineCommand({
  name: 'job-details',
  aliases: ['show'],
  summary: 'Shows all that is known of one job, and how each figure was obtained.',
  usage: 'job-details ID [options]',
  arguments: [
    { name: 'id', required: true, says: "the job's task id, the start of it, or `last`" },
  ],
  options: globalOptions,
  examples: ['jobmeter job-details 3f8a21b2c4d5', 'jobmeter show last --format json'],
})

export const execute = commandAction(definition, ({ options, arguments: given, console }) => {
  const store = openStore(realSystem({ ownsProcess: false }), options.db)
  const record = findJob(store, given.id)
  store.close()
  console.print(
    options.format === 'json'
      ? `${jsonText(recordJson(record), 2)}\n`
      : detailsText(record, console.style(1)),
  )
  return 0
})
