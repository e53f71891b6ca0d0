import { jsonText } from '../render/json-text.ts'
import { realSystem } from '../system/real.ts'
import { commandAction } from './command/action.ts'
import { defineCommand, globalOptions } from './command/define.ts'
import { openStore } from './ledger.ts'

const definition = defineCommand({
  name: 'prune',
  aliases: [],
  summary: 'Deletes the records and samples of jobs that started long ago.',
  usage: 'prune --older-than AGE [options]',
  arguments: [],
  options: {
    'older-than': {
      type: 'duration',
      value: 'AGE',
      example: '90d',
      required: true,
      says: 'how long ago a job must have started to be deleted',
    },
    ...globalOptions,
  },
  examples: ['jobmeter prune --older-than 90d'],
})

export const execute = commandAction(definition, ({ options, console }) => {
  const system = realSystem({ ownsProcess: false })
  const store = openStore(system, options.db)
  const pruned = store.prune(system.clock.wallSeconds() - options['older-than'])
  store.close()
  console.print(
    options.format === 'json'
      ? `${jsonText({ ...pruned }, 2)}\n`
      : `Deleted ${pruned.attempts} jobs and ${pruned.samples} samples.\n`,
  )
  return 0
})
