import { scalingRuns } from '../../analysis/compare/scaling-runs.ts'
import { scaling } from '../../analysis/compare/scaling.ts'
import { flatCsv } from '../../render/text/flat-csv.ts'
import { scalingJson } from '../../render/reports/scaling/json.ts'
import { scalingMarkdown } from '../../render/reports/scaling/markdown.ts'
import { scalingText } from '../../render/reports/scaling/text.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand } from '../command/define.ts'
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
      says: 'names, task ids or the start of one, `last`, name:NAME, tag:TAG, workflow:ID[/RUN]; without any, the newest workflow',
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
  },
  examples: [
    'jobmeter reports scaling last',
    'jobmeter reports scaling train',
    'jobmeter reports scaling 3f8a 77c1 9b02 --param threads',
    'jobmeter reports scaling --workflow 3 --format json',
  ],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const sets = [
    ...given.jobs,
    ...(options.workflow === undefined ? [] : [`workflow:${options.workflow}`]),
  ]
  const reader = openReader(realSystem({ ownsProcess: false }), options.db)
  if (sets.length === 0) {
    const workflow = await workflowRow(reader, undefined)
    tellNewest(workflow, undefined, options.format, console)
    sets.push(`workflow:${workflow.workflowId}`)
  }
  const records = await findRuns(reader, sets.join(','))
  await reader.close()
  const chosen = scalingRuns(records, options.param)
  const json = scalingJson(records, chosen, scaling(chosen.runs))
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
