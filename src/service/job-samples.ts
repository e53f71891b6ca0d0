import type { JobRecord } from '../model/record.ts'
import type { SampleRow } from '../model/sample.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import { findSeries, withSeries } from '../store/series/series-search.ts'
import type { ResultRow, RunRow } from '../store/ledger/workflow-store.ts'

/** The samples of an attempt, or why there are none. */
export interface JobSamples {
  readonly rows: readonly SampleRow[]
  readonly whyNone: string
}

/** From the ledger; of a job of a workflow, from the series file of its run. */
export function samplesOf(
  ledger: Ledger,
  record: JobRecord,
  movedTo: string | undefined,
): JobSamples {
  const rows = ledger.jobs.samples(record.taskId)
  const { jobId: number } = record
  const [place] =
    rows.length > 0 || number === null ? [] : ledger.workflows.findJobs({ jobId: number })
  if (place === undefined)
    return { rows, whyNone: 'it has no samples (it ran with --no-series or --no-monitor)' }
  const { workflowId, jobId } = place
  const attempts = ledger.workflows.results(workflowId, { jobId, allRuns: true })
  const result = attempts.find((one) => one.record.taskId === record.taskId)
  const run = ledger.workflows.runs(workflowId).find(({ runId }) => runId === result?.runId)
  if (result === undefined || run === undefined)
    return { rows, whyNone: 'its run is not in the ledger any more' }
  const ofRun = attempts.filter(({ runId }) => runId === run.runId)
  return readSamples(ledger, { workflowId, run, result, ofRun }, movedTo ?? run.outputDirectory)
}

interface Place {
  readonly workflowId: number
  readonly run: RunRow
  readonly result: ResultRow
  /** The attempts of the job in this run. */
  readonly ofRun: readonly ResultRow[]
}

function readSamples(
  ledger: Ledger,
  { workflowId, run, result, ofRun }: Place,
  directory: string,
): JobSamples {
  const taskIds = new Set(ofRun.map(({ record }) => record.taskId))
  const found = findSeries(directory, { ...run, workflowId, ledger: ledger.path }, taskIds)
  if (found.kind === 'found') {
    const rows = found.paths.flatMap((path) =>
      withSeries(path, (reader) => reader.samples(result.jobId, result.attempt)),
    )
    const whyNone = `attempt ${result.attempt} has no samples in ${found.paths.join(', ')}`
    return { rows, whyNone }
  }
  const monitor = ledger.workflows.findWorkflow(workflowId)?.workflow.monitor
  if (monitor?.enabled === false || monitor?.granularity === 'summary')
    return {
      rows: [],
      whyNone:
        'its workflow keeps totals only (granularity: time_series under resource_monitor has it keep samples)',
    }
  const advice = 'If it was moved, say where it is now: --output-dir DIR'
  const what =
    found.kind === 'no folder'
      ? `its output directory ${directory} is not there or cannot be read, and its samples are in that`
      : `${directory} has no series file of run ${run.runId}${found.trouble === null ? '' : ` that can be read (${found.trouble})`}`
  return { rows: [], whyNone: `${what}. ${advice}` }
}
