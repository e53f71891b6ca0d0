import { formatBytes } from '../../render/units/figures.ts'
import { count } from '../../model/count.ts'
import { jsonText } from '../../render/text/json-text.ts'
import type { ReportSource } from '../../render/page/report-source.ts'
import { optionalLines } from '../../render/record/optional-lines.ts'
import { reportSource } from '../../render/page/report-words.ts'
import type { Zone } from '../../render/units/zoned-time.ts'
import type { JobRecord } from '../../model/record.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import { realSystem } from '../../system/real.ts'
import type { System } from '../../system/system.ts'
import { gatherJob } from '../../service/gather-job.ts'
import { gatherWorkflow } from '../../service/gather-report.ts'
import { version } from '../version.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, zoneOption } from '../command/define.ts'
import { findJob, jobWords } from '../../service/find-job.ts'
import { markedParts } from '../../service/marked-parts.ts'
import { samplesOf } from '../../service/job-samples.ts'
import { jobSeries, pagePoints } from '../../service/job-series.ts'
import { pricePath } from '../../service/price-path.ts'
import { costLine } from './cost-line.ts'
import { samplesOption } from './samples-option.ts'
import { openReader } from '../ledger/ledger.ts'
import { saveReport } from './save-report.ts'
import { wholeWorkflow } from '../../service/find-workflow.ts'
import { UserError } from '../../service/user-error.ts'
import type { WorkflowHead } from '../../model/workflow-head.ts'
import { tellNewest } from '../workflows/workflow-argument.ts'
import { zoneAsked } from '../terminal/zone-asked.ts'

const definition = defineCommand({
  name: 'report',
  aliases: [],
  summary: 'Writes one self-contained page about a workflow or a job, for any browser.',
  usage: 'report [ID] [options]',
  description:
    'A number is a workflow id, if there is such a workflow, or else a job id. The page holds names and what was measured: look at it before you pass it on.',
  arguments: [
    {
      name: 'id',
      required: false,
      says: `a workflow id, or ${jobWords}; without it, the newest workflow`,
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
    ...samplesOption,
    ...globalOptions,
  },
  examples: ['jobmeter report 1 -o report.html', 'jobmeter report last'],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const reader = openReader(system, options.db)
  const asked = { zone: zoneAsked(options), movedTo: options['output-dir'] }
  const { source, workflow, missing } = await sourceOf(system, reader, given.id, asked)
  await reader.close()
  if (workflow !== null) tellNewest(workflow, given.id, options.format, console)
  if (missing !== null) console.note(`jobmeter: the page shows no samples: ${missing}\n`)
  const bytes = saveReport(system, source, options.output)
  const jobs = source.jobs.length
  if (options.format === 'json')
    console.print(`${jsonText({ page: options.output, jobs, bytes }, 2)}\n`)
  else console.print(`${options.output}: ${count(jobs, 'job')}, ${formatBytes(bytes)}\n`)
  return 0
})

/** What the page is made of, and why there is nothing over time in it where a job has no samples. */
interface Found {
  readonly source: ReportSource
  /** null where it shows a single job. */
  readonly workflow: WorkflowHead | null
  readonly missing: string | null
}

interface Asked {
  readonly zone: Zone
  readonly movedTo: string | undefined
}

async function sourceOf(
  system: System,
  reader: LedgerReader,
  id: string | undefined,
  asked: Asked,
): Promise<Found> {
  const { zone, movedTo } = asked
  const stored =
    id === undefined
      ? await wholeWorkflow(reader, id)
      : isNumber(id)
        ? await reader.workflows.findWorkflow(Number(id))
        : undefined
  if (stored !== undefined)
    return {
      source: reportSource(await gatherWorkflow(system, reader, stored, movedTo), {
        zone,
        version,
      }),
      workflow: stored,
      missing: null,
    }
  const record = await jobNamed(reader, id ?? '')
  const { series, whyNone } = await samplesOf(reader, record, movedTo)
  const missing = series.rows.length === 0 ? whyNone : null
  const marks = await markedParts(reader, record, movedTo)
  const charts = await jobSeries(reader, record, { points: pagePoints, movedTo })
  return {
    source: reportSource(gatherJob(system, record, series, { marks, charts }), {
      zone,
      version,
      further: [...optionalLines(record.usage), ...(await costFacts(system, record))],
    }),
    workflow: null,
    missing,
  }
}

const isNumber = (id: string): boolean => /^\d{1,15}$/.test(id)

/** A number would have been a workflow's first. */
async function jobNamed(reader: LedgerReader, id: string): Promise<JobRecord> {
  try {
    return await findJob(reader, id)
  } catch (error) {
    if (!(error instanceof UserError) || !isNumber(id)) throw error
    throw new UserError(
      `there is no workflow ${id} (see jobmeter workflows list), and ${error.message}`,
      error.kind,
    )
  }
}

async function costFacts(system: System, record: JobRecord): Promise<ReportSource['facts']> {
  const prices = pricePath(system, undefined, process.env)
  return prices === undefined ? [] : costLine(system, prices, record)
}
