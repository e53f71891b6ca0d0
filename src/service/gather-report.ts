import { CurveCollector, type AttemptCurves } from '../analysis/series/job-curves.ts'
import { deriveSeries } from '../analysis/series/rates.ts'
import type { Recommendation } from '../analysis/sizing/recommendation.ts'
import type {
  GatheredReport,
  ReportAttempt,
  ReportSourceJob,
} from '../analysis/workflow/gathered-report.ts'
import type { JobRecord } from '../model/record.ts'
import { sampleIndex, type SampleRow } from '../model/sample.ts'
import type { LedgerReader } from '../store/ledger/ledger-reader.ts'
import type { ResultRow, RunRow, StoredWorkflow } from '../store/ledger/workflow-store.ts'
import { findSeries } from '../store/series/series-search.ts'
import type { System } from '../system/system.ts'
import { writtenRequests } from '../workflow/spec-edit/written-requests.ts'
import { readCurves } from './gather-plots.ts'
import { sizeRequests } from './size-requests.ts'

/** A workflow with all that was ever tried of each of its jobs; over time, the last attempt of each. */
export async function gatherWorkflow(
  system: System,
  reader: LedgerReader,
  stored: StoredWorkflow,
  movedTo?: string,
): Promise<GatheredReport> {
  const { workflowId, workflow } = stored
  const runs = await reader.workflows.runs(workflowId)
  const ofJob = Map.groupBy(
    await reader.workflows.results(workflowId, { allRuns: true }),
    ({ jobId }) => jobId,
  )
  const made = stored.jobs.map(({ jobId }) => inOrder(ofJob.get(jobId) ?? []))
  const usedIds = new Set(made.flatMap((attempts) => attempts.map(({ runId }) => runId)))
  const used = runs.filter(({ runId }) => usedIds.has(runId))
  const last = made.flatMap((attempts) => attempts.slice(-1))
  const curves = curvesOf(reader, workflowId, used, last, movedTo)
  const jobs = stored.jobs.map(({ jobId, state, job }, index): ReportSourceJob => ({
    jobId,
    name: job.name,
    state,
    requirementsName: job.requirementsName,
    requirements: job.requirements,
    dependsOn: job.dependsOn,
    attempts: (made[index] ?? []).map(({ runId, attempt, record }): ReportAttempt => ({
      runId,
      attempt,
      record,
      curves: curves.get(runId)?.(jobId, attempt) ?? null,
    })),
  }))
  return {
    about: {
      kind: 'workflow',
      workflowId,
      name: workflow.name,
      user: stored.user,
      hosts: [...new Set(used.map(({ host }) => host))],
      startedAt: used[0]?.startedAt ?? null,
      specPath: stored.specPath,
      description: workflow.description,
    },
    generatedAt: system.clock.wallSeconds(),
    runs: used,
    jobs,
    recommendation: await recommend(reader, stored),
  }
}

async function recommend(reader: LedgerReader, stored: StoredWorkflow): Promise<Recommendation> {
  const attempts = await reader.workflows.utilizationRows(stored.workflowId, { allRuns: true })
  const written = writtenRequests(stored.specText, stored.specPath)
  return sizeRequests(stored, attempts, written)
}

const inOrder = (results: readonly ResultRow[]): ResultRow[] =>
  results.toSorted((a, b) => a.runId - b.runId || a.attempt - b.attempt)

type CurvesOfRun = (jobId: number, attempt: number) => AttemptCurves | undefined

/** The series files of each run. They may have been moved or deleted since: pages do without them then. */
export function seriesOfRuns(
  { path }: LedgerReader,
  workflowId: number,
  runs: readonly RunRow[],
  results: readonly ResultRow[],
  movedTo?: string,
): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>()
  const byRun = Map.groupBy(results, ({ runId }) => runId)
  for (const run of runs) {
    const taskIds = new Set((byRun.get(run.runId) ?? []).map(({ record }) => record.taskId))
    const named = { ...run, workflowId, ledger: path }
    const series = findSeries(movedTo ?? run.outputDirectory, named, taskIds)
    if (series.kind === 'found') found.set(run.runId, series.paths)
  }
  return found
}

function curvesOf(
  reader: LedgerReader,
  workflowId: number,
  runs: readonly RunRow[],
  results: readonly ResultRow[],
  movedTo: string | undefined,
): ReadonlyMap<number, CurvesOfRun> {
  const found = new Map<number, CurvesOfRun>()
  for (const [runId, paths] of seriesOfRuns(reader, workflowId, runs, results, movedTo)) {
    const files = paths.map((path) => readCurves(path, undefined).collector)
    found.set(runId, (jobId, attempt) =>
      files
        .flatMap((collector) => collector.curves(jobId))
        .find((curves) => curves.attempt === attempt),
    )
  }
  return found
}

/** One recorded attempt of one job. */
export function gatherJob(
  system: System,
  record: JobRecord,
  rows: readonly SampleRow[],
): GatheredReport {
  const { jobId, name, status, requirements, attempt } = record
  const { taskId, user, machine, startedAt, endedAt, command } = record
  return {
    about: { kind: 'job', taskId, name, user, machine, startedAt, command },
    generatedAt: system.clock.wallSeconds(),
    runs: [{ runId: 1, startedAt, endedAt }],
    jobs: [
      {
        // One that is not in the ledger yet has no number; on this page it is the only job.
        jobId: jobId ?? 1,
        name,
        state: status,
        requirementsName: null,
        requirements,
        dependsOn: [],
        attempts: [{ runId: 1, attempt, record, curves: sampleCurves(record, rows) }],
      },
    ],
    recommendation: null,
  }
}

function sampleCurves(record: JobRecord, rows: readonly SampleRow[]): AttemptCurves | null {
  const collector = new CurveCollector(1000)
  deriveSeries(rows, record.machine.cores).forEach((point, index) => {
    const row = rows[index]
    if (point.timestamp === null || row === undefined) return
    collector.add({
      jobId: 1,
      attempt: record.attempt,
      timestamp: record.startedAt + (point.elapsedSeconds ?? 0),
      cpuPercent: point.cpuPercent ?? Number.NaN,
      memoryBytes: point.memoryBytes ?? Number.NaN,
      processes: point.processes ?? Number.NaN,
      readBytes: row[sampleIndex.read_bytes] ?? Number.NaN,
      writeBytes: row[sampleIndex.write_bytes] ?? Number.NaN,
    })
  })
  return collector.curves(1)[0] ?? null
}
