import { CurveCollector, type AttemptCurves } from '../../analysis/series/job-curves.ts'
import type { JobRecord } from '../../model/record.ts'
import { sampleIndex, type SampleRow } from '../../model/sample.ts'
import { deriveSeries } from '../../analysis/series/rates.ts'
import { commandLine } from '../../render/text/printable.ts'
import type {
  ReportAttempt,
  ReportRecommendation,
  ReportSource,
  ReportSourceJob,
} from '../../render/page/report-source.ts'
import { adviceRows } from '../../render/reports/recommend/json.ts'
import { shortTime, type Zone } from '../../render/units/zoned-time.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import { findSeries } from '../../store/series/series-search.ts'
import type { ResultRow, RunRow, StoredWorkflow } from '../../store/ledger/workflow-store.ts'
import type { System } from '../../system/system.ts'
import { writtenRequests } from '../../workflow/spec-edit/written-requests.ts'
import { readCurves } from './plot-files.ts'
import { sizeRequests } from '../../service/size-requests.ts'
import { version } from '../version.ts'

/** A workflow with all that was ever tried of each of its jobs; over time, the last attempt of each. */
export async function workflowSource(
  system: System,
  reader: LedgerReader,
  stored: StoredWorkflow,
  zone: Zone,
  movedTo?: string,
): Promise<ReportSource> {
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
    kind: 'workflow',
    title: workflow.name,
    facts: [
      ['Workflow', String(workflowId)],
      ['User', stored.user],
      ['Host', [...new Set(used.map(({ host }) => host))].join(', ')],
      ['Began', used[0] === undefined ? 'not yet' : shortTime(used[0].startedAt, zone)],
      ['File', stored.specPath],
      ['About', workflow.description ?? ''],
    ].flatMap(([name = '', fact = '']) => (fact === '' ? [] : [[name, fact] as const])),
    generatedAt: system.clock.wallSeconds(),
    zone,
    version,
    runs: used,
    jobs,
    recommendations: await recommendations(reader, stored),
  }
}

/** Only what should change. */
async function recommendations(
  reader: LedgerReader,
  stored: StoredWorkflow,
): Promise<ReportRecommendation[]> {
  const attempts = await reader.workflows.utilizationRows(stored.workflowId, { allRuns: true })
  const written = writtenRequests(stored.specText, stored.specPath)
  return adviceRows(sizeRequests(stored, attempts, written)).flatMap((row) =>
    row.recommended_value === null || row.recommended_value === row.requested_value
      ? []
      : [
          {
            requirement: row.requirement,
            resource: row.resource_type,
            now: row.requested,
            suggested: row.recommended,
            reason: row.reason,
            confidence: row.confidence,
          },
        ],
  )
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
export function jobSource(
  system: System,
  record: JobRecord,
  rows: readonly SampleRow[],
  zone: Zone,
): ReportSource {
  const { jobId, name, status, requirements, attempt } = record
  return {
    kind: 'job',
    title: name,
    facts: [
      ['Task', record.taskId],
      ['User', record.user],
      ['Host', `${record.machine.host}, ${record.machine.cores} cores`],
      ['Began', shortTime(record.startedAt, zone)],
      ['Command', commandLine(record.command)],
    ],
    generatedAt: system.clock.wallSeconds(),
    zone,
    version,
    runs: [{ runId: 1, startedAt: record.startedAt, endedAt: record.endedAt }],
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
    recommendations: [],
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
