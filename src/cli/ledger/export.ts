import { jsonArrayText, jsonText } from '../../render/text/json-text.ts'
import { recordJson } from '../../render/record/record-json.ts'
import type { JobRecord } from '../../model/record.ts'
import { UserError } from '../../service/user-error.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { askedZoneOption, filterOptions, timeOptions } from '../node/node-options.ts'
import { didYouMean } from '../../model/suggest.ts'
import { openReader } from './ledger.ts'

const kinds = ['records', 'node-jobs', 'node-usage', 'node-rounds', 'job-archive'] as const

const definition = defineCommand({
  name: 'export',
  aliases: [],
  summary:
    'Prints every record as JSON, oldest first, one object per line, as in a jobs_history.jsonl; or what is known of nodes.',
  usage: 'export [WHAT] [options]',
  description:
    'WHAT is records (the default: all jobs that jobmeter ran), node-jobs (jobs that were seen on nodes), node-usage (what was used in each hour, by host, user, account and command), node-rounds (each look at a node, as long as they are kept), or job-archive (Slurm jobs as ClusterCockpit keeps them, written to --output). For what is known of nodes, --db names the database of the agent.',
  arguments: [{ name: 'what', required: false, says: kinds.join(', ') }],
  options: {
    ...globalOptions,
    format: {
      type: 'choice',
      choices: ['jsonl', 'json', 'csv', 'openmetrics'],
      default: 'jsonl',
      says: 'one object per line, or one array; of nodes also csv and openmetrics',
    },
    ...filterOptions,
    ...timeOptions,
    ...askedZoneOption,
    output: {
      type: 'string',
      value: 'DIR',
      example: 'archive',
      says: 'where the job archive is written',
    },
    cluster: {
      type: 'string',
      value: 'NAME',
      default: 'cluster',
      says: 'what the job archive calls the cluster',
    },
  },
  examples: [
    'jobmeter export > jobs_history.jsonl',
    'jobmeter export --format json',
    'jobmeter export node-usage --from "last month" --format csv > usage.csv',
    'jobmeter export node-rounds --from 7d --format openmetrics > rounds.om',
    'jobmeter export job-archive --from 30d --cluster mlx --output job-archive',
  ],
})

export const execute = commandAction(definition, async (input) => {
  const { options, console } = input
  const kind = kindOf(input.arguments.what)
  if (kind !== 'records') {
    const { exportNode } = await import('../node/export-node.ts')
    return exportNode(kind, options, console)
  }
  if (options.format !== 'json' && options.format !== 'jsonl')
    throw new UserError(`records cannot be had as ${options.format}: json and jsonl can`, 'usage')
  const reader = openReader(realSystem({ ownsProcess: false }), options.db)
  const records = reader.jobs.each({}, 'oldest first')
  await console.printEach(
    options.format === 'json' ? jsonArrayText(records, recordJson) : linesOf(records),
  )
  await reader.close()
  return 0
})

function kindOf(asked: string | undefined): (typeof kinds)[number] {
  const kind = kinds.find((one) => one === (asked ?? 'records'))
  if (kind !== undefined) return kind
  throw new UserError(
    `"${asked}" cannot be exported.${didYouMean(asked ?? '', kinds)} There are ${kinds.join(', ')}`,
    'usage',
  )
}

async function* linesOf(portions: AsyncIterable<readonly JobRecord[]>): AsyncIterable<string> {
  for await (const records of portions)
    for (const record of records) yield `${jsonText(recordJson(record))}\n`
}
