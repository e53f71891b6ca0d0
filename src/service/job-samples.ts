import type { DeviceSeries, Series } from '../model/series.ts'
import type { JobRecord } from '../model/record.ts'
import type { LedgerReader } from '../store/ledger/ledger-reader.ts'
import { HeldSeries } from '../store/series/held-series.ts'
import { findSeries, withSeries, type SeriesFound } from '../store/series/series-search.ts'
import type { SeriesReader } from '../store/series/series.ts'
import { hasFilesOfRuns, whereFilesAre } from './files-of-runs.ts'
import type { ResultRow, RunRow } from '../store/ledger/workflow-store.ts'

/** The samples of an attempt and of its devices, or why there are none. */
export interface JobSamples {
  readonly series: Series
  readonly devices: readonly DeviceSeries[]
  readonly whyNone: string
}

const samplesIn = (reader: SeriesReader, whyNone: string): JobSamples => ({
  series: reader.read(),
  devices: reader.devices(),
  whyNone,
})

const noSamples = (whyNone: string): JobSamples => samplesIn(new HeldSeries([], []), whyNone)

/** From the ledger; of a job of a workflow, from the series file of its run. */
export async function samplesOf(
  reader: LedgerReader,
  record: JobRecord,
  movedTo: string | undefined,
): Promise<JobSamples> {
  const samples = {
    series: await reader.jobs.series(record.taskId),
    devices: await reader.jobs.devices(record.taskId),
    whyNone: noneInLedger,
  }
  if (samples.series.rows.length > 0) return samples
  return (await samplesOfRun(reader, record, movedTo)) ?? samples
}

export const noneInLedger = 'it has no samples (it ran with --no-series or --no-monitor)'

/** Of a job of a workflow, from the series file of its run; undefined of another job. */
export async function samplesOfRun(
  reader: LedgerReader,
  record: JobRecord,
  movedTo: string | undefined,
): Promise<JobSamples | undefined> {
  const { jobId: number } = record
  const [place] = number === null ? [] : await reader.workflows.findJobs({ jobId: number })
  if (place === undefined) return undefined
  const { workflowId, jobId } = place
  const attempts = await reader.workflows.results(workflowId, { jobId, allRuns: true })
  const result = attempts.find((one) => one.record.taskId === record.taskId)
  const run = (await reader.workflows.runs(workflowId)).find(({ runId }) => runId === result?.runId)
  if (result === undefined || run === undefined)
    return noSamples('its run is no longer in the ledger')
  const taskIds = attempts.flatMap((one) => (one.runId === run.runId ? one.record.taskId : []))
  return readSamples(reader, { workflowId, run, result, taskIds }, movedTo ?? run.outputDirectory)
}

interface Place {
  readonly workflowId: number
  readonly run: RunRow
  readonly result: ResultRow
  /** Of the attempts of the job in this run. */
  readonly taskIds: readonly string[]
}

/** One that broke off before the job began, as on a full disk, is known by the other attempts of its run. */
async function findSeriesOf(
  reader: LedgerReader,
  { workflowId, run, taskIds }: Place,
  directory: string,
): Promise<SeriesFound> {
  const named = { ...run, workflowId, ledger: reader.path }
  const found = findSeries(directory, named, new Set(taskIds))
  if (found.kind !== 'no file') return found
  const query = { runId: run.runId }
  const ofRun = await reader.workflows.briefResults(
    workflowId,
    query,
    [],
    ({ record }) => record.taskId,
  )
  return findSeries(directory, named, new Set(ofRun))
}

async function readSamples(
  reader: LedgerReader,
  place: Place,
  directory: string,
): Promise<JobSamples> {
  const { workflowId, run, result } = place
  const found = hasFilesOfRuns(reader) ? await findSeriesOf(reader, place, directory) : undefined
  if (found?.kind === 'found') {
    const parts = found.paths.map((path) =>
      withSeries(path, (file) => samplesIn(file.series(result.jobId, result.attempt), '')),
    )
    return samplesIn(
      new HeldSeries(
        parts.map(({ series }) => series),
        parts.flatMap(({ devices }) => devices),
        Object.assign({}, ...parts.map(({ series }) => series.basis)) as Series['basis'],
      ),
      `attempt ${result.attempt} has no samples in ${found.paths.join(', ')}`,
    )
  }
  const monitor = (await reader.workflows.findWorkflow(workflowId))?.workflow.monitor
  if (monitor?.enabled === false || monitor?.granularity === 'summary')
    return noSamples(
      'its workflow keeps totals only (to keep samples, set granularity: time_series under resource_monitor)',
    )
  if (found === undefined)
    return noSamples(
      `its samples are not in the team ledger: if it left any, they are ${whereFilesAre(run)}`,
    )
  const advice = 'If it was moved, name it with --output-dir DIR'
  const what =
    found.kind === 'no folder'
      ? `its output directory ${directory}, which holds its samples, does not exist or cannot be read`
      : `${directory} has no series file of run ${run.runId}${found.trouble === null ? '' : ` that can be read (${found.trouble})`}`
  return noSamples(`${what}. ${advice}`)
}
