import { utilizationCsv } from '../../render/reports/utilization/csv.ts'
import { utilizationJson } from '../../render/reports/utilization/json.ts'
import { utilizationMarkdown } from '../../render/reports/utilization/markdown.ts'
import { utilizationText } from '../../render/reports/utilization/text.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand } from '../command/define.ts'
import { utilizationReport } from '../../service/reports/utilization.ts'
import { openReader } from '../ledger/ledger.ts'
import { inFormat, reportOptions } from './report-format.ts'
import { workflowRow } from '../../service/find-workflow.ts'
import { tellNewest, workflowOrNewest } from '../workflows/workflow-argument.ts'

const definition = defineCommand({
  name: 'reports check-resource-utilization',
  aliases: [],
  summary: 'Compares memory, CPU and runtime of the jobs of a workflow with what they asked for.',
  usage: 'reports check-resource-utilization [ID] [options]',
  description:
    'The latest result of each job counts. What was not measured is never counted, and a job is not ' +
    'checked against a request that it did not make. 100 % is one core. 1 GB is 1024³ bytes.',
  arguments: [workflowOrNewest],
  options: {
    'run-id': { type: 'number', value: 'N', min: 1, whole: true, says: 'the results of this run' },
    all: { type: 'boolean', says: 'also show what stayed within its request' },
    'include-failed': {
      type: 'boolean',
      says: 'also show jobs that failed, with the probable cause and the evidence',
    },
    'min-over-utilization': {
      type: 'number',
      value: 'PERCENT',
      min: 0,
      default: 1,
      says: 'report only usage that is at least this far above its request',
    },
    'fail-on-violation': { type: 'boolean', says: 'exit with 1 if something is reported' },
    ...reportOptions,
  },
  examples: [
    'jobmeter reports check-resource-utilization 1',
    'jobmeter reports check-resource-utilization 1 --all --include-failed',
    'jobmeter reports check-resource-utilization 1 --fail-on-violation --format json',
  ],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const reader = openReader(realSystem({ ownsProcess: false }), options.db)
  const row = await workflowRow(reader, given.id)
  const report = await utilizationReport(reader, row, {
    runId: options['run-id'],
    minOverPercent: options['min-over-utilization'],
    includeFailed: options['include-failed'],
  })
  await reader.close()
  tellNewest(row, given.id, options.format, console)
  console.print(
    inFormat(options.format, {
      json: utilizationJson(report, options),
      csv: () => utilizationCsv(report, options),
      markdown: () => utilizationMarkdown(report, options),
      table: () => utilizationText(report, console.style(1), options),
    }),
  )
  return options['fail-on-violation'] && report.violations.length > 0 ? 1 : 0
})
