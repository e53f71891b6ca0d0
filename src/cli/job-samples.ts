import type { JobRecord } from '../model/record.ts'
import { sampleIndex, sampleWidth, type SampleRow } from '../model/sample.ts'
import type { Ledger } from '../store/ledger.ts'
import { StoreError } from '../store/errors.ts'
import { seriesPath } from '../store/sqlite/series-file.ts'
import { openSeriesReader } from '../store/sqlite/series-reader.ts'
import type { ResultRow } from '../store/workflow-store.ts'

/** The samples of an attempt, or why there are none. */
export interface JobSamples {
  readonly rows: readonly SampleRow[]
  readonly whyNone: string
}

/** From the ledger; of a job of a workflow, from the series file of its run. */
export function samplesOf(ledger: Ledger, record: JobRecord): JobSamples {
  const rows = ledger.jobs.samples(record.taskId)
  const { jobId: number } = record
  const [place] =
    rows.length > 0 || number === null ? [] : ledger.workflows.findJobs({ jobId: number })
  if (place === undefined) {
    return { rows, whyNone: 'it has no samples (it ran with --no-series or --no-monitor)' }
  }
  const { workflowId, jobId } = place
  const attempts = ledger.workflows.results(workflowId, { jobId, allRuns: true })
  const result = attempts.find((one) => one.record.taskId === record.taskId)
  const run = ledger.workflows.runs(workflowId).find(({ runId }) => runId === result?.runId)
  if (result === undefined || run === undefined)
    return { rows, whyNone: 'its run is not in the ledger any more' }
  const path = seriesPath(run.outputDirectory, { host: run.host, workflowId, runId: run.runId })
  try {
    return {
      rows: readSeries(path, result),
      whyNone: `attempt ${result.attempt} has no samples in ${path}`,
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const advice = 'granularity: time_series under resource_monitor has one written'
    return { rows, whyNone: `${error.message} (${advice})` }
  }
}

function readSeries(path: string, { jobId, attempt, record }: ResultRow): SampleRow[] {
  const reader = openSeriesReader(path)
  const rows: SampleRow[] = []
  let before = record.startedAt
  let cpuSeconds = 0
  reader.eachSample({ jobIds: [jobId], ordered: true, counters: true }, (sample) => {
    if (sample.attempt !== attempt) return
    const row = new Float64Array(sampleWidth).fill(Number.NaN)
    const { counters } = sample
    row[sampleIndex.timestamp] = sample.timestamp
    if (counters === undefined) {
      row[sampleIndex.elapsed_seconds] = Math.max(0, sample.timestamp - record.startedAt)
      // A file of others holds the rate since the sample before; the sum of them is the counter again.
      const step = rows.length === 0 ? 0 : Math.max(0, sample.timestamp - before)
      if (step > 0) cpuSeconds += (step * sample.cpuPercent) / 100
      before = sample.timestamp
      row[sampleIndex.cpu_user_seconds] = cpuSeconds
      row[sampleIndex.cpu_system_seconds] = 0
    } else {
      row[sampleIndex.elapsed_seconds] = counters.elapsedSeconds
      row[sampleIndex.cpu_user_seconds] = counters.cpuUserSeconds
      row[sampleIndex.cpu_system_seconds] = counters.cpuSystemSeconds
      row[sampleIndex.num_threads] = counters.threads
    }
    row[sampleIndex.memory_bytes] = sample.memoryBytes
    row[sampleIndex.num_processes] = sample.processes
    row[sampleIndex.read_bytes] = sample.readBytes
    row[sampleIndex.write_bytes] = sample.writeBytes
    rows.push(row)
  })
  reader.close()
  return rows
}
