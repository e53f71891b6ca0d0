import { attemptStatuses } from '../../model/outcome.ts'
import { historyText, leftOutText } from '../../render/record/history-text.ts'
import { jsonArrayText } from '../../render/text/json-text.ts'
import { recordJson } from '../../render/record/record-json.ts'
import type { RecordQuery } from '../../store/ledger/store.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, zoneOption, type OptionValues } from '../command/define.ts'
import { statusesAsked, statusFilter } from '../command/status-filter.ts'
import { openReader } from './ledger.ts'
import { namedMoment } from '../terminal/named-moment.ts'
import { zoneAsked } from '../terminal/zone-asked.ts'

const definition = defineCommand({
  name: 'job-history',
  aliases: ['history'],
  summary: 'Shows the latest jobs, newest first.',
  usage: 'job-history [options]',
  description:
    'Shows single commands only; --all adds the attempts of workflow jobs. A filter may be repeated or given several values separated by commas: a job matches if one of them does. Upper and lower case matter in tags, but not in tools, names and users.',
  arguments: [],
  options: {
    limit: {
      type: 'number',
      short: 'n',
      value: 'N',
      default: 10,
      min: 1,
      whole: true,
      says: 'how many jobs to show',
    },
    name: {
      type: 'list',
      commas: true,
      value: 'NAME',
      example: 'train',
      says: 'only jobs with this name',
    },
    tag: {
      type: 'list',
      commas: true,
      value: 'TAG',
      example: 'nightly',
      says: 'only jobs with this tag',
    },
    user: {
      type: 'list',
      commas: true,
      value: 'USER',
      example: 'ada',
      says: 'only jobs of this user',
    },
    tool: {
      type: 'list',
      commas: true,
      value: 'TOOL',
      example: 'python3',
      says: 'only jobs that ran this tool',
    },
    ...statusFilter(attemptStatuses),
    since: {
      type: 'string',
      value: 'WHEN',
      example: '2h',
      says: 'only jobs started since then: a date, "yesterday", "last monday", or an age such as 2h or 7d',
    },
    all: { type: 'boolean', short: 'a', says: 'also show the attempts of workflow jobs' },
    ...zoneOption,
    ...globalOptions,
  },
  examples: [
    'jobmeter job-history --limit 20',
    'jobmeter history --status failed,timeout --since 7d',
    'jobmeter history --name train --tag nightly --user ada',
    'jobmeter history --all --tool python3 --format json',
  ],
})

export const execute = commandAction(definition, async ({ options, console }) => {
  const system = realSystem({ ownsProcess: false })
  const reader = openReader(system, options.db)
  const filters = filtersOf(options, system.clock.wallSeconds())
  const isFiltered = Object.keys(filters).length > 0
  const query = { ...filters, inAnyCase: true, limit: options.limit }
  const asked = options.all ? query : ({ ...query, origin: 'command' } as const)
  const leftOut = options.all ? 0 : await reader.jobs.count({ ...query, origin: 'workflow' })
  if (options.format === 'json') {
    const records = reader.jobs.each(asked, 'newest first')
    await console.printEach(jsonArrayText(records, recordJson))
    if (leftOut > 0) console.complain(leftOutText(leftOut))
  } else {
    const view = { zone: zoneAsked(options), isFiltered, leftOut }
    console.print(historyText(await reader.jobs.find(asked), console.style(1), view))
  }
  await reader.close()
  return 0
})

function filtersOf(options: OptionValues<typeof definition>, nowSeconds: number): RecordQuery {
  const { name, tag, user, tool } = options
  const status = statusesAsked(options, attemptStatuses) ?? []
  const given = Object.entries({ name, tag, user, tool, status })
  const place = { name: 'since', edge: 'from', zone: zoneAsked(options) } as const
  const since = namedMoment(place, options.since, nowSeconds)
  return {
    ...Object.fromEntries(given.filter(([, values]) => values.length > 0)),
    ...(since === undefined ? {} : { startedSince: since }),
  }
}
