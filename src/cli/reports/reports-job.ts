import { jobReport } from '../../analysis/job/job-report.ts'
import { flatCsv } from '../../render/text/flat-csv.ts'
import { jobReportJson } from '../../render/reports/job/json.ts'
import { jobReportMarkdown } from '../../render/reports/job/markdown.ts'
import { jobReportText } from '../../render/reports/job/text.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, type OptionValues } from '../command/define.ts'
import type { JobRecord } from '../../model/record.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import { findJob, jobWords } from '../../service/find-job.ts'
import { samplesOf } from '../../service/job-samples.ts'
import { samplesOption } from './samples-option.ts'
import { openReader } from '../ledger/ledger.ts'
import { inFormat, reportOptions } from './report-format.ts'
import { findAttempt, findWorkflowJob } from '../../service/find-workflow-job.ts'

const definition = defineCommand({
  name: 'reports job',
  aliases: [],
  summary:
    'Shows what happened in a job: its phases, what held it back, whether it leaks memory, what to do.',
  usage: 'reports job JOB [options]',
  description: '1 MB is 1024² bytes.',
  arguments: [
    {
      name: 'job',
      required: true,
      says: `${jobWords}; with --workflow, the id or name of a job in it`,
    },
  ],
  options: {
    workflow: { type: 'string', value: 'ID', example: '1', says: 'the workflow it belongs to' },
    attempt: {
      type: 'number',
      value: 'N',
      min: 1,
      whole: true,
      says: 'this attempt instead of the latest, for a job of a workflow',
    },
    ...samplesOption,
    ...reportOptions,
  },
  examples: [
    'jobmeter reports job last',
    'jobmeter reports job train --workflow 3 --format markdown',
  ],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const reader = openReader(realSystem({ ownsProcess: false }), options.db)
  const record =
    options.workflow === undefined && options.attempt === undefined
      ? await findJob(reader, given.job)
      : await attemptOf(reader, given.job, options)
  const samples = await samplesOf(reader, record, options['output-dir'])
  await reader.close()
  const report = jobReport(record, samples.series.rows, samples.whyNone)
  const json = jobReportJson(report)
  console.print(
    inFormat(options.format, {
      json,
      csv: () => flatCsv(json),
      markdown: () => jobReportMarkdown(json),
      table: () => jobReportText(json, report.series, console.style(1)),
    }),
  )
  return 0
})

async function attemptOf(
  reader: LedgerReader,
  job: string,
  { workflow, attempt }: Pick<OptionValues<typeof definition>, 'workflow' | 'attempt'>,
): Promise<JobRecord> {
  const place = await findWorkflowJob(reader, job, workflow)
  return (await findAttempt(reader, place, attempt)).record
}
