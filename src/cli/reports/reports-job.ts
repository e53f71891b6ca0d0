import type { JobReport } from '../../analysis/job/job-report.ts'
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
import { reportOfJob } from '../../service/reports/report-of-job.ts'
import { nextRequestJson, nextTime } from '../../render/node/next-request.ts'
import { isSeenRef, seenJobWords } from '../../service/seen-jobs.ts'
import { nodeDbOption } from '../node/node-db-option.ts'
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
      says: `${jobWords}; with --workflow, the id or name of a job in it; or ${seenJobWords}`,
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
    ...nodeDbOption,
  },
  examples: [
    'jobmeter reports job last',
    'jobmeter reports job train --workflow 3 --format markdown',
    'jobmeter reports job slurm:4711',
  ],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const isOfWorkflow = options.workflow !== undefined || options.attempt !== undefined
  const { report, next } =
    isSeenRef(given.job) && !isOfWorkflow
      ? await seenReportOf(given.job, options)
      : { report: await ownReport(given.job, options), next: null }
  const json = {
    ...jobReportJson(report),
    ...(next === null ? {} : { next_request: nextRequestJson(next) }),
  }
  const more = next === null ? [] : nextTime(next)
  console.print(
    inFormat(options.format, {
      json,
      csv: () => flatCsv(json),
      markdown: () => jobReportMarkdown(json, more),
      table: () => jobReportText(json, report.series, console.style(1), more),
    }),
  )
  return 0
})

type Options = OptionValues<typeof definition>

async function seenReportOf(job: string, options: Options) {
  const { seenReport } = await import('../node/seen-job.ts')
  return seenReport(realSystem({ ownsProcess: false }), job, options['node-db'])
}

async function ownReport(job: string, options: Options): Promise<JobReport> {
  const reader = openReader(realSystem({ ownsProcess: false }), options.db)
  const record =
    options.workflow === undefined && options.attempt === undefined
      ? await findJob(reader, job)
      : await attemptOf(reader, job, options)
  const report = await reportOfJob(reader, record, options['output-dir'])
  await reader.close()
  return report
}

async function attemptOf(
  reader: LedgerReader,
  job: string,
  { workflow, attempt }: Pick<OptionValues<typeof definition>, 'workflow' | 'attempt'>,
): Promise<JobRecord> {
  const place = await findWorkflowJob(reader, job, workflow)
  return (await findAttempt(reader, place, attempt)).record
}
