import { formatBytes } from '../render/figures.ts'
import { count } from '../render/job-facts.ts'
import { jsonText } from '../render/json-text.ts'
import type { ReportSource } from '../render/page/report-source.ts'
import type { Zone } from '../render/zoned-time.ts'
import type { Ledger } from '../store/ledger.ts'
import { realSystem } from '../system/real.ts'
import type { System } from '../system/system.ts'
import { jobSource, workflowSource } from './collect-report.ts'
import { commandAction } from './command/action.ts'
import { defineCommand, globalOptions, zoneOption } from './command/define.ts'
import { findJob, jobWords } from './find-job.ts'
import { openLedger } from './ledger.ts'
import { saveReport } from './save-report.ts'
import { wholeWorkflow } from './workflow-lookup.ts'
import { zoneAsked } from './zone-asked.ts'

const definition = defineCommand({
  name: 'report',
  aliases: [],
  summary: 'Writes one page about a workflow or a job: complete in itself, for any browser.',
  usage: 'report [ID] [options]',
  description:
    'A number is a workflow, where there is one with it. The page holds names and what was measured: look at it before you pass it on.',
  arguments: [
    {
      name: 'id',
      required: false,
      says: `a workflow's number, or ${jobWords}; without it, the newest workflow`,
    },
  ],
  options: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      default: 'report.html',
      says: 'where to put the page',
    },
    ...zoneOption,
    ...globalOptions,
  },
  examples: ['jobmeter report 1 -o report.html', 'jobmeter report last'],
})

export const execute = commandAction(definition, ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const ledger = openLedger(system, options.db)
  const source = sourceOf(system, ledger, given.id, zoneAsked(options))
  ledger.close()
  const bytes = saveReport(system, source, options.output)
  const jobs = source.jobs.length
  if (options.format === 'json')
    console.print(`${jsonText({ page: options.output, jobs, bytes }, 2)}\n`)
  else console.print(`${options.output}: ${count(jobs, 'job')}, ${formatBytes(bytes)}\n`)
  return 0
})

function sourceOf(
  system: System,
  ledger: Ledger,
  id: string | undefined,
  zone: Zone,
): ReportSource {
  if (id === undefined) return workflowSource(system, ledger, wholeWorkflow(ledger, id), zone)
  const stored = /^\d{1,15}$/.test(id) ? ledger.workflows.findWorkflow(Number(id)) : undefined
  if (stored !== undefined) return workflowSource(system, ledger, stored, zone)
  const record = findJob(ledger.jobs, id)
  return jobSource(system, record, ledger.jobs.samples(record.taskId), zone)
}
