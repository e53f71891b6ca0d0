import { statesJson, statesText } from '../../render/node/states.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, zoneOption } from '../command/define.ts'
import { zoneAsked } from '../terminal/zone-asked.ts'
import { filterOptions, nodeDatabaseOption, openNode, timeOptions } from './node-options.ts'
import { spanAsked } from './span-asked.ts'

const definition = defineCommand({
  name: 'nodes',
  aliases: [],
  summary: 'Shows how each node was at its last round, and its peaks.',
  usage: 'nodes [options]',
  description:
    'Cores, load, memory, swap, and each disk, network interface and GPU: at the last round, and the most that any round had. Peaks are of the last 24 hours, unless --from says otherwise.',
  arguments: [],
  options: {
    host: filterOptions.host,
    ...timeOptions,
    ...zoneOption,
    ...globalOptions,
    ...nodeDatabaseOption,
  },
  examples: ['jobmeter nodes', 'jobmeter nodes --host node01 --from 7d --format json'],
})

const usualDays = 1

export const execute = commandAction(definition, async ({ options, console }) => {
  const system = realSystem({ ownsProcess: false })
  const span = spanAsked(options, system.clock.wallSeconds(), usualDays)
  const reader = openNode(system, options.db)
  const states = await reader.states({ ...span, hosts: options.host })
  const known = options.host.length === 0 ? [] : await reader.names('host')
  await reader.close()
  if (options.format === 'json') console.print(`${jsonText(statesJson(states), 2)}\n`)
  else console.print(statesText(states, zoneAsked(options), { asked: options.host, known }))
  return 0
})
