import { parseInstant } from '../model/duration.ts'
import { attemptStatuses } from '../model/outcome.ts'
import type { JobRecord } from '../model/record.ts'
import { historyText } from '../render/history-text.ts'
import { jsonArrayText } from '../render/json-text.ts'
import { recordJson, type RecordJson } from '../render/record-json.ts'
import { realSystem } from '../system/real.ts'
import { commandAction } from './command/action.ts'
import { defineCommand, globalOptions } from './command/define.ts'
import { openStore } from './ledger.ts'
import { UserError } from './user-error.ts'

const definition = defineCommand({
  name: 'job-history',
  aliases: ['history'],
  summary: 'Shows the latest jobs, newest first.',
  usage: 'job-history [options]',
  arguments: [],
  options: {
    limit: {
      type: 'number',
      value: 'N',
      default: 10,
      min: 1,
      whole: true,
      says: 'how many jobs to show',
    },
    tool: { type: 'string', value: 'TOOL', example: 'python3', says: 'only jobs of this program' },
    status: { type: 'choice', choices: attemptStatuses, says: 'only jobs that ended so' },
    since: {
      type: 'string',
      value: 'WHEN',
      example: '2h',
      says: 'only jobs started since: a date, "yesterday", or 2h, 7d ago',
    },
    ...globalOptions,
  },
  examples: [
    'jobmeter job-history --limit 20',
    'jobmeter history --status failed --since 7d',
    'jobmeter history --tool python3 --format json',
  ],
})

export const execute = commandAction(definition, ({ options, console }) => {
  const system = realSystem({ ownsProcess: false })
  const store = openStore(system, options.db)
  const since = startOfSpan(options.since, system.clock.wallSeconds())
  const query = {
    limit: options.limit,
    ...(options.tool === undefined ? {} : { tool: options.tool }),
    ...(options.status === undefined ? {} : { status: options.status }),
    ...(since === undefined ? {} : { startedSince: since }),
  }
  const records = store.each(query, 'newest first')
  if (options.format === 'json') console.printAll(jsonArrayText(jsonOf(records)))
  else {
    const filtered =
      options.tool !== undefined || options.status !== undefined || since !== undefined
    console.print(historyText(records, console.style(1), filtered))
  }
  store.close()
  return 0
})

function* jsonOf(records: Iterable<JobRecord>): Iterable<RecordJson> {
  for (const record of records) yield recordJson(record)
}

function startOfSpan(text: string | undefined, nowSeconds: number): number | undefined {
  if (text === undefined) return undefined
  const instant = parseInstant(text, nowSeconds)
  if (instant === undefined)
    throw new UserError(
      `--since "${text}" is no point in time. Good ones: 2026-01-31, yesterday, 2h, 7d`,
      2,
    )
  return instant
}
