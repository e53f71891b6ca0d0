import type { AttemptCurves } from '../analysis/series/job-curves.ts'
import type { MarkReport } from '../analysis/series/marked.ts'
import type { Recommendation } from '../analysis/sizing/recommendation.ts'
import type {
  GatheredReport,
  ReportAttempt,
  ReportSourceJob,
} from '../analysis/workflow/gathered-report.ts'
import type { LedgerReader } from '../store/ledger/ledger-reader.ts'
import type { ResultRow, RunRow, StoredWorkflow } from '../store/ledger/workflow-store.ts'
import { findSeries, withSeries } from '../store/series/series-search.ts'
import type { System } from '../system/system.ts'
import { writtenRequests } from '../workflow/spec-edit/written-requests.ts'
import { hasFilesOfRuns } from './files-of-runs.ts'
import { curveColumns, sampleCurves } from './gather-job.ts'
import { bucketsOf } from './gather-plots.ts'
import { markedParts } from './marked-parts.ts'
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
  const curves = hasFilesOfRuns(reader)
    ? curvesOfRuns(reader, workflowId, used, last, movedTo)
    : await keptCurves(reader, last)
  const marks = await marksOf(reader, last, movedTo)
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
      curves: curves.get(record.taskId) ?? null,
      marks: marks.get(record.taskId) ?? null,
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

/** One that has not begun has nothing to show. */
const inOrder = (results: readonly ResultRow[]): ResultRow[] =>
  results
    .filter(({ record }) => record.status !== 'waiting')
    .toSorted((a, b) => a.runId - b.runId || a.attempt - b.attempt)

/** Asking for the marks of each of many jobs would take longer than all else. */
const mostJobsWithMarks = 1000

async function marksOf(
  reader: LedgerReader,
  results: readonly ResultRow[],
  movedTo: string | undefined,
): Promise<ReadonlyMap<string, MarkReport>> {
  const reports = new Map<string, MarkReport>()
  if (results.length > mostJobsWithMarks) return reports
  for (const { record } of results) {
    const report = await markedParts(reader, record, movedTo)
    if (report !== null) reports.set(record.taskId, report)
  }
  return reports
}

/** The series files of each run. They may have been moved or deleted since: pages do without them then. */
export function seriesOfRuns(
  reader: LedgerReader,
  workflowId: number,
  runs: readonly RunRow[],
  results: readonly ResultRow[],
  movedTo?: string,
): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>()
  if (!hasFilesOfRuns(reader)) return found
  const byRun = Map.groupBy(results, ({ runId }) => runId)
  for (const run of runs) {
    const taskIds = new Set((byRun.get(run.runId) ?? []).map(({ record }) => record.taskId))
    const named = { ...run, workflowId, ledger: reader.path }
    const series = findSeries(movedTo ?? run.outputDirectory, named, taskIds)
    if (series.kind === 'found') found.set(run.runId, series.paths)
  }
  return found
}

/** By task. */
type CurvesOfTasks = ReadonlyMap<string, AttemptCurves>

/**
 * From the counters in the series files of runs. Their column `cpu_percent` was written while the job ran, when nobody knew yet
 * what later samples tell of earlier ones.
 */
function curvesOfRuns(
  reader: LedgerReader,
  workflowId: number,
  runs: readonly RunRow[],
  results: readonly ResultRow[],
  movedTo: string | undefined,
): CurvesOfTasks {
  const found = new Map<string, AttemptCurves>()
  const buckets = bucketsOf(results.length)
  const ofRun = Map.groupBy(results, ({ runId }) => runId)
  for (const [runId, paths] of seriesOfRuns(reader, workflowId, runs, results, movedTo))
    for (const path of paths)
      withSeries(path, (file) => {
        for (const { jobId, attempt, record } of ofRun.get(runId) ?? []) {
          const samples = file.series(jobId, attempt).readColumns(curveColumns)
          const curves = sampleCurves(record, samples, buckets)
          if (curves !== null) found.set(record.taskId, curves)
        }
      })
  return found
}

/** The same from the samples that the ledger itself has. */
async function keptCurves(
  { jobs }: LedgerReader,
  results: readonly ResultRow[],
): Promise<CurvesOfTasks> {
  const found = new Map<string, AttemptCurves>()
  const buckets = bucketsOf(results.length)
  for (const { record } of results.slice(0, mostJobsWithMarks)) {
    const samples = await jobs.seriesColumns(record.taskId, curveColumns)
    const curves = sampleCurves(record, samples, buckets)
    if (curves !== null) found.set(record.taskId, curves)
  }
  return found
}
