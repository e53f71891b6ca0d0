import { flatCsv } from '../../render/text/flat-csv.ts'
import { scalingJson } from '../../render/reports/scaling/json.ts'
import { scalingMarkdown } from '../../render/reports/scaling/markdown.ts'
import { scalingText } from '../../render/reports/scaling/text.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, type OptionValues } from '../command/define.ts'
import type { JobRecord } from '../../model/record.ts'
import { scalingReport } from '../../service/reports/scaling-report.ts'
import { isSeenSet, seenRuns } from '../../service/seen-jobs.ts'
import { nodeDbOption } from '../node/node-db-option.ts'
import type { Console } from '../terminal/console.ts'
import { openReader } from '../ledger/ledger.ts'
import { inFormat, reportOptions } from './report-format.ts'
import { findRuns } from '../../service/run-sets.ts'
import { workflowRow } from '../../service/find-workflow.ts'
import { tellNewest } from '../workflows/workflow-argument.ts'

const definition = defineCommand({
  name: 'reports scaling',
  aliases: [],
  summary:
    'Shows whether a job will scale: how much of its node it kept busy, and its serial part.',
  usage: 'reports scaling [JOB…] [options]',
  description:
    'One run shows how much it kept busy. Runs of the same job with different CPU requests show speed-up, parallel efficiency and the serial fraction.',
  arguments: [
    {
      name: 'jobs',
      required: false,
      variadic: true,
      says: 'names, task ids or the start of one, `last`, name:NAME, tag:TAG, workflow:ID[/RUN]; of jobs that the agent saw, slurm:ID and the like, or command:NAME; without any, the newest workflow',
    },
  ],
  options: {
    workflow: { type: 'string', value: 'ID', example: '1', says: 'all runs of this workflow' },
    param: {
      type: 'string',
      value: 'NAME',
      example: 'threads',
      says: 'the parameter that says how many workers a run had, instead of its CPU request',
    },
    ...reportOptions,
    ...nodeDbOption,
  },
  examples: [
    'jobmeter reports scaling last',
    'jobmeter reports scaling train',
    'jobmeter reports scaling 3f8a 77c1 9b02 --param threads',
    'jobmeter reports scaling --workflow 3 --format json',
    'jobmeter reports scaling command:solver',
    'jobmeter reports scaling slurm:4801 slurm:4802 slurm:4803',
  ],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const sets = [
    ...given.jobs,
    ...(options.workflow === undefined ? [] : [`workflow:${options.workflow}`]),
  ]
  const [seen, own] = [sets.filter(isSeenSet), sets.filter((set) => !isSeenSet(set))]
  const records = [
    ...(seen.length === 0 ? [] : await seenRecords(seen, options['node-db'])),
    ...(own.length === 0 && seen.length > 0 ? [] : await ownRecords(own, options, console)),
  ]
  const { chosen, scaling } = scalingReport(records, options.param)
  const json = scalingJson(records, chosen, scaling)
  console.print(
    inFormat(options.format, {
      json,
      csv: () => flatCsv(json),
      markdown: () => scalingMarkdown(json),
      table: () => scalingText(json, console.style(1), console.width),
    }),
  )
  return 0
})

async function ownRecords(
  sets: readonly string[],
  { db, format }: Pick<OptionValues<typeof definition>, 'db' | 'format'>,
  console: Console,
): Promise<JobRecord[]> {
  const reader = openReader(realSystem({ ownsProcess: false }), db)
  const named = [...sets]
  if (named.length === 0) {
    const workflow = await workflowRow(reader, undefined)
    tellNewest(workflow, undefined, format, console)
    named.push(`workflow:${workflow.workflowId}`)
  }
  const records = await findRuns(reader, named.join(','))
  await reader.close()
  return records
}

/** Loaded only where jobs of the agent are asked for. */
async function seenRecords(sets: readonly string[], database: string | undefined) {
  const { openNode } = await import('../node/node-options.ts')
  const reader = openNode(realSystem({ ownsProcess: false }), database)
  const records: JobRecord[] = []
  for (const set of sets) records.push(...(await seenRuns(reader, set)))
  await reader.close()
  return records
}
