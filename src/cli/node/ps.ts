import { jobKinds } from '../../model/node-round.ts'
import { jobsCsv, seenJobJson } from '../../render/node/jobs-json.ts'
import { jobsText } from '../../render/node/jobs-text.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { UserError } from '../../service/user-error.ts'
import { jobOrders, type JobQuery } from '../../store/node/job-query.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, zoneOption, type OptionValues } from '../command/define.ts'
import { zoneAsked } from '../terminal/zone-asked.ts'
import { sayWhyEmpty } from './empty-question.ts'
import {
  commandOption,
  filterOptions,
  nodeDatabaseOption,
  openNode,
  tableFormatOption,
  timeOptions,
} from './node-options.ts'
import { spanAsked } from './span-asked.ts'

const definition = defineCommand({
  name: 'ps',
  aliases: [],
  summary: 'Lists the jobs that the agent saw on this node, whoever started them.',
  usage: 'ps [options]',
  description:
    'What each job used in all the time that it was seen: absolutely, of what it asked for where that is known, and of the node. What is small and short is one line per user and command. Without --from, shows what ran in the last 24 hours. `jobmeter job-details`, `reports job` and `reports scaling` take the names that stand under Job.',
  arguments: [],
  options: {
    ...filterOptions,
    pid: {
      type: 'number',
      value: 'PID',
      min: 1,
      whole: true,
      says: 'only the job of this process',
    },
    command: commandOption,
    account: { type: 'list', commas: 'always', value: 'ACCOUNT', says: 'only of this account' },
    ...timeOptions,
    'min-runtime': { type: 'duration', value: 'TIME', example: '10m', says: 'only longer jobs' },
    running: { type: 'boolean', says: 'only jobs that the last round saw' },
    completed: { type: 'boolean', says: 'only jobs that are over' },
    kind: {
      type: 'list',
      commas: true,
      choices: jobKinds,
      value: 'KIND',
      example: 'slurm',
      says: `only of this kind: ${jobKinds.join(', ')}`,
    },
    sort: {
      type: 'choice',
      choices: jobOrders,
      default: 'seen',
      says: 'what to sort by, the most first',
    },
    limit: { type: 'number', value: 'N', min: 1, whole: true, says: 'show at most so many' },
    ...zoneOption,
    ...globalOptions,
    ...tableFormatOption,
    ...nodeDatabaseOption,
  },
  examples: [
    'jobmeter ps --running',
    'jobmeter ps --user ada --from yesterday --min-runtime 10m',
    'jobmeter ps --sort memory --limit 10 --from 7d',
    'jobmeter ps --kind slurm --account ml --from "last month" --to "last month"',
    'jobmeter ps --command python --from "last monday" --format csv',
  ],
})

export const execute = commandAction(definition, async ({ options, console }) => {
  const system = realSystem({ ownsProcess: false })
  const nowSeconds = system.clock.wallSeconds()
  const query = queryOf(options, nowSeconds)
  const zone = zoneAsked(options)
  const reader = openNode(system, options.db)
  const jobs = await reader.jobs(query)
  const isAnswered = jobs.length > 0 && (await reader.wasLooked(query.from, query.to, query.hosts))
  const why = isAnswered || options.format !== 'table' ? '' : await sayWhyEmpty(reader, query, zone)
  await reader.close()
  if (options.format === 'json') console.print(`${jsonText(jobs.map(seenJobJson), 2)}\n`)
  else if (options.format === 'csv') console.print(jobsCsv(jobs))
  else {
    const view = { zone, width: console.width, nowSeconds }
    console.print(`${jobs.length === 0 ? '' : jobsText(jobs, view)}${why}`)
  }
  return 0
})

const usualDays = 1

function queryOf(options: OptionValues<typeof definition>, now: number) {
  if (options.running && options.completed)
    throw new UserError('--running and --completed exclude each other', 'usage')
  const state = options.running ? 'running' : options.completed ? 'completed' : undefined
  const { pid, limit, kind, sort } = options
  const least = options['min-runtime']
  return {
    ...spanAsked(options, now, usualDays),
    users: options.user,
    hosts: options.host,
    commands: options.command,
    accounts: options.account,
    kinds: kind,
    order: sort,
    ...(pid === undefined ? {} : { pid }),
    ...(limit === undefined ? {} : { limit }),
    ...(state === undefined ? {} : { state }),
    ...(least === undefined ? {} : { minRuntimeSeconds: least }),
  } satisfies JobQuery
}
