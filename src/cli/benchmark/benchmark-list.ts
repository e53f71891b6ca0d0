import { benchmarkListJson, benchmarkListText } from '../../render/benchmark/list.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, zoneOption } from '../command/define.ts'
import { openReader } from '../ledger/ledger.ts'
import { zoneAsked } from '../terminal/zone-asked.ts'

const definition = defineCommand({
  name: 'benchmark list',
  aliases: [],
  summary: 'Lists all benchmarks, newest first, and the names they were saved under.',
  usage: 'benchmark list [options]',
  arguments: [],
  options: { ...zoneOption, ...globalOptions },
  examples: ['jobmeter benchmark list', 'jobmeter benchmark list --format json'],
})

export const execute = commandAction(definition, async ({ options, console }) => {
  const reader = openReader(realSystem({ ownsProcess: false }), options.db)
  const listed = await reader.benchmarks.list()
  await reader.close()
  console.print(
    options.format === 'json'
      ? `${jsonText(benchmarkListJson(listed), 2)}\n`
      : benchmarkListText(listed, console.style(1), zoneAsked(options)),
  )
  return 0
})
