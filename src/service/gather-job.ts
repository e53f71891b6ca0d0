import { CurveCollector, type AttemptCurves } from '../analysis/series/job-curves.ts'
import type { MarkReport } from '../analysis/series/marked.ts'
import { deriveSeries } from '../analysis/series/rates.ts'
import type { GatheredReport } from '../analysis/workflow/gathered-report.ts'
import type { JobChartData } from '../model/job-chart-data.ts'
import type { JobRecord } from '../model/record.ts'
import { sampleIndex, type SampleRow } from '../model/sample.ts'
import type { System } from '../system/system.ts'

/** One recorded attempt of one job. */
export function gatherJob(
  system: System,
  record: JobRecord,
  rows: readonly SampleRow[],
  { marks, charts }: { readonly marks: MarkReport | null; readonly charts: JobChartData },
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
        attempts: [
          {
            runId: 1,
            attempt,
            record,
            marks,
            curves: sampleCurves(record, rows),
            charts,
          },
        ],
      },
    ],
    recommendation: null,
  }
}

/** What the samples of an attempt show over time. */
export function sampleCurves(record: JobRecord, rows: readonly SampleRow[]): AttemptCurves | null {
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
