import { comparedMetrics, type ComparedMetric } from '../../analysis/compare/compared-run.ts'
import { regressionOf } from '../../analysis/compare/comparison.ts'
import { comparisonCsv } from '../../render/reports/compare/csv.ts'
import { comparisonJson } from '../../render/reports/compare/json.ts'
import { comparisonMarkdown } from '../../render/reports/compare/markdown.ts'
import { metricNotJudged } from '../../render/reports/compare/rows.ts'
import { comparisonText } from '../../render/reports/compare/text.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand } from '../command/define.ts'
import { openReader } from '../ledger/ledger.ts'
import { inFormat, reportOptions } from './report-format.ts'
import { compareNamed } from '../../service/reports/comparison.ts'
import { UserError } from '../../service/user-error.ts'

const what =
  'a name, a task id or the start of one, `last`, name:NAME, tag:TAG, workflow:ID or workflow:ID/RUN; several separated by commas'
/** As the table and records call the figures. */
const metricNames: Readonly<Record<string, ComparedMetric>> = {
  duration_seconds: 'duration',
  'cpu time': 'cpu',
  cpu_total_seconds: 'cpu',
  'memory peak': 'memory',
  memory_peak_bytes: 'memory',
  read_bytes: 'read',
  written: 'write',
  write_bytes: 'write',
}

const definition = defineCommand({
  name: 'reports compare',
  aliases: [],
  summary:
    'Compares two runs or two sets of runs, and says whether they differ by more than noise.',
  usage: 'reports compare A B [options]',
  description:
    'Uses a rank test (Mann-Whitney, or Wilcoxon for pairs of jobs) and a bootstrap interval. Less is better. Runs that did not succeed are left out.',
  arguments: [
    { name: 'a', required: true, says: `the baseline: ${what}` },
    { name: 'b', required: true, says: 'what to compare with the baseline, in the same form' },
  ],
  options: {
    'include-failed': { type: 'boolean', says: 'include runs that did not succeed' },
    'fail-on-regression': {
      type: 'string',
      value: 'PERCENT',
      example: '10%',
      says: 'exit with 1 if B is worse by more than this, beyond noise; with 2 if that cannot be judged',
    },
    metric: {
      type: 'choice',
      choices: comparedMetrics,
      also: metricNames,
      default: 'duration',
      says: 'the figure that --fail-on-regression checks',
    },
    ...reportOptions,
  },
  examples: [
    'jobmeter reports compare 3f8a21 last',
    'jobmeter reports compare tag:v1 tag:v2 --fail-on-regression 10%',
    'jobmeter reports compare workflow:1/1 workflow:1/2 --format markdown',
  ],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const allowed = allowedPercent(options['fail-on-regression'])
  const reader = openReader(realSystem({ ownsProcess: false }), options.db)
  const comparison = await compareNamed(reader, given, options['include-failed'])
  await reader.close()
  const json = comparisonJson(comparison, given)
  console.print(
    inFormat(options.format, {
      json,
      csv: () => comparisonCsv(json),
      markdown: () => comparisonMarkdown(json),
      table: () => comparisonText(json, console.style(1)),
    }),
  )
  if (allowed === undefined) return 0
  switch (regressionOf(comparison, options.metric, allowed / 100)) {
    case 'regression':
      console.complain(`${options.metric} is worse by more than ${allowed} %, beyond noise`)
      return 1
    case 'cannot-judge':
      // A check that could never fail would be worse than none.
      console.complain(metricNotJudged(json, options.metric))
      return 2
    case 'none':
      return 0
  }
})

function allowedPercent(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const match = /^(\d+(?:\.\d+)?) ?%?$/.exec(text)
  if (match === null)
    throw new UserError(`--fail-on-regression "${text}" is not a percentage. Example: 10%`, 'usage')
  return Number(match[1])
}
