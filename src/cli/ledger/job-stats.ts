import { statisticsOf } from '../../analysis/job/job-statistics.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { statsText } from '../../render/record/stats-text.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { openReader } from './ledger.ts'

const definition = defineCommand({
  name: 'job-stats',
  aliases: ['stats'],
  summary: 'Shows totals over all recorded jobs, and by tool.',
  usage: 'job-stats [options]',
  arguments: [],
  options: globalOptions,
  examples: ['jobmeter job-stats', 'jobmeter stats --format json'],
})

export const execute = commandAction(definition, async ({ options, console }) => {
  const reader = openReader(realSystem({ ownsProcess: false }), options.db)
  const statistics = statisticsOf(await reader.jobs.tally())
  await reader.close()
  console.print(
    options.format === 'json'
      ? `${jsonText(statistics, 2)}\n`
      : statsText(statistics, console.style(1)),
  )
  return 0
})
