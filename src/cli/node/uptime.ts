import { uptimeCsv, uptimeJson, uptimeText } from '../../render/node/uptime.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { nodeUptimes } from '../../service/nodes/node-uptimes.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, zoneOption } from '../command/define.ts'
import { zoneAsked } from '../terminal/zone-asked.ts'
import { sayWhyEmpty } from './empty-question.ts'
import {
  filterOptions,
  nodeDatabaseOption,
  openNode,
  tableFormatOption,
  timeOptions,
} from './node-options.ts'
import { spanAsked } from './span-asked.ts'

const definition = defineCommand({
  name: 'uptime',
  aliases: [],
  summary: 'Shows when the agent looked at each host, and the gaps in between.',
  usage: 'uptime [options]',
  description:
    'A gap is time in which nobody looked: nothing is known of it. If the host was not restarted in it, only the agent was down. Where single rounds are no longer kept (after 14 days unless the configuration says otherwise), gaps are exact to five minutes, and later to the hour. Without --from, shows the last 7 days.',
  arguments: [],
  options: {
    host: filterOptions.host,
    ...timeOptions,
    'min-gap': { type: 'duration', value: 'TIME', default: 120, says: 'list only longer gaps' },
    ...zoneOption,
    ...globalOptions,
    ...tableFormatOption,
    ...nodeDatabaseOption,
  },
  examples: [
    'jobmeter uptime --from 7d',
    'jobmeter uptime --host node01 --from "last month" --to "last month" --min-gap 1h',
    'jobmeter uptime --from yesterday --format json',
  ],
})

const usualDays = 7

export const execute = commandAction(definition, async ({ options, console }) => {
  const system = realSystem({ ownsProcess: false })
  const now = system.clock.wallSeconds()
  const span = spanAsked(options, now, usualDays)
  const [from, to] = [span.from, Math.min(now, span.to)]
  const zone = zoneAsked(options)
  const reader = openNode(system, options.db)
  const { host: hosts } = options
  const uptimes = await nodeUptimes(reader, { from, to, shortestGap: options['min-gap'] }, hosts)
  const asked = { from, to, users: [], hosts, accounts: [], commands: [] }
  const why = uptimes.length === 0 ? await sayWhyEmpty(reader, asked, zone) : ''
  await reader.close()
  if (options.format === 'json') console.print(`${jsonText(uptimeJson(uptimes), 2)}\n`)
  else if (options.format === 'csv') console.print(uptimeCsv(uptimes))
  else console.print(why || uptimeText(uptimes, zone))
  return 0
})
