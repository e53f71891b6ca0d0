import { heatMap } from '../../analysis/node/heat-map.ts'
import { usageKeys, usageMetrics, type UsageKey, type UsageTable } from '../../model/node-usage.ts'
import { heatText } from '../../render/node/heat-text.ts'
import { usageCsv, usageJson, usageText } from '../../render/node/usage.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { formatBytes } from '../../render/units/figures.ts'
import { offsetsBetween } from '../../render/units/local-offsets.ts'
import { nodeUsage } from '../../service/nodes/node-usage.ts'
import { UserError } from '../../service/user-error.ts'
import type { NodeQuestions } from '../../store/node/node-questions.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, zoneOption, type OptionValues } from '../command/define.ts'
import { zoneAsked } from '../terminal/zone-asked.ts'
import { sayWhyEmpty } from './empty-question.ts'
import { saveHeatPage } from './heat-page.ts'
import {
  commandOption,
  filterOptions,
  nodeDatabaseOption,
  openNode,
  tableFormatOption,
  timeOptions,
} from './node-options.ts'
import { spanAsked, type Span } from './span-asked.ts'
import { hoursAsked, weekdaysAsked, weekOptions } from './week-options.ts'

const definition = defineCommand({
  name: 'usage',
  aliases: [],
  summary: 'Tells how full the nodes were, when, and by whom.',
  usage: 'usage [--by KEY]… [options]',
  description:
    'Adds up what was used, by one key or several, and sets it against what the nodes had while the agent looked at them. Time in which nobody looked is neither use nor capacity. Whole hours are counted: the ones that --from and --to fall into count in full. Without --from, shows the last 7 days. Hours and days are those of local time, or of UTC with --utc.',
  arguments: [],
  options: {
    by: {
      type: 'list',
      commas: true,
      choices: usageKeys,
      value: usageKeys.join('|'),
      example: 'user',
      says: 'what to tell it by (default user)',
    },
    metric: { type: 'choice', choices: usageMetrics, default: 'cpu', says: 'what to add up' },
    ...filterOptions,
    command: commandOption,
    account: { type: 'list', commas: 'always', value: 'ACCOUNT', says: 'only of this account' },
    ...timeOptions,
    ...weekOptions,
    'heat-map': {
      type: 'boolean',
      says: 'draw hours across and days down: of all together, and of each user, host, command or account that --by names',
    },
    limit: {
      type: 'number',
      value: 'N',
      min: 1,
      max: 1000,
      whole: true,
      says: 'show at most so many lines, the rest together; with --heat-map, so many maps (default 5)',
    },
    output: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      example: 'heat.html',
      says: 'write the heat map as a page that any browser shows',
    },
    ...zoneOption,
    ...globalOptions,
    ...tableFormatOption,
    ...nodeDatabaseOption,
  },
  examples: [
    'jobmeter usage --by user --on tuesday --between 8-12 --from 30d',
    'jobmeter usage --heat-map --by user --from "last month" --to "last month"',
    'jobmeter usage --output heat.html --metric gpu --from 90d',
    'jobmeter usage --by hour-of-week --by user --from 2026-03-01 --to 2026-03-31 --format csv',
    'jobmeter usage --by day --host node01 --metric memory',
  ],
})

type Options = OptionValues<typeof definition>

const usualDays = 7
const usualMaps = 5

export const execute = commandAction(definition, async ({ options, console }) => {
  const system = realSystem({ ownsProcess: false })
  const isMap = options['heat-map'] || options.output !== undefined
  if (options.limit !== undefined && (options.format !== 'table' || options.output !== undefined))
    throw new UserError('--limit is for tables and heat maps on a terminal', 'usage')
  const by = isMap ? mapKeys(options) : keysAsked(options.by)
  const { metric, format } = options
  const span = spanAsked(options, system.clock.wallSeconds(), usualDays)
  const zone = zoneAsked(options)
  const reader = openNode(system, options.db)
  const usage = await ask(reader, by, span, options)
  const isAnswered = usage.rows.length > 0 || format !== 'table'
  const why = isAnswered ? '' : await sayWhyEmpty(reader, { ...span, ...namesIn(options) }, zone)
  await reader.close()
  const view = { by, metric }
  if (options.output !== undefined) {
    const page = { ...view, ...span, zone, filters: filterWords(options) }
    const bytes = saveHeatPage(system, heatMap(usage), page, options.output)
    console.print(
      format === 'json'
        ? `${jsonText({ page: options.output, bytes }, 2)}\n`
        : `${options.output}: ${formatBytes(bytes)}\n`,
    )
  } else if (format === 'json') console.print(`${jsonText(usageJson(usage, view), 2)}\n`)
  else if (format === 'csv') console.print(usageCsv(usage, view))
  else if (why !== '') console.print(why)
  else if (isMap) {
    const { width } = console
    const mostMaps = options.limit ?? usualMaps
    console.print(
      heatText(heatMap(usage), { metric, style: console.style(1), width, most: mostMaps }),
    )
  } else console.print(usageText(usage, { ...view, limit: options.limit }))
  return 0
})

const namesIn = (options: Options) => ({
  users: options.user,
  hosts: options.host,
  commands: options.command,
  accounts: options.account,
})

function ask(
  reader: NodeQuestions,
  by: readonly UsageKey[],
  span: Span,
  options: Options,
): Promise<UsageTable> {
  const weekdays = weekdaysAsked(options.on)
  const hours = hoursAsked(options.between)
  return nodeUsage(reader, {
    by,
    metric: options.metric,
    ...span,
    ...namesIn(options),
    ...(weekdays === undefined ? {} : { weekdays }),
    ...(hours === undefined ? {} : { hours }),
    offsetsBetween: (from, to) => offsetsBetween(from, to, zoneAsked(options)),
  })
}

const keysAsked = (by: readonly UsageKey[]): readonly UsageKey[] =>
  by.length === 0 ? ['user'] : [...new Set(by)]

/** A map is of the hours of a week, and may be told by one thing more; a page has room to tell by whom. */
function mapKeys({ by: asked, output }: Options): readonly UsageKey[] {
  const named = asked.filter((key) => key !== 'hour-of-week')
  const [by = output === undefined ? undefined : 'user', ...more] = new Set(named)
  const isName = by === 'user' || by === 'host' || by === 'command' || by === 'account'
  if (more.length > 0 || (by !== undefined && !isName))
    throw new UserError(
      'a heat map can be told by one of user, host, command and account: name one with --by',
      'usage',
    )
  return by === undefined ? ['hour-of-week'] : ['hour-of-week', by]
}

/** As the page names them. */
function filterWords(options: Options): (readonly [string, string])[] {
  const lists = { User: options.user, Host: options.host, Command: options.command }
  const more = { Account: options.account, On: options.on, Between: options.between }
  return Object.entries({ ...lists, ...more }).flatMap(([name, values]) =>
    values.length === 0 ? [] : [[name, values.join(', ')] as const],
  )
}
