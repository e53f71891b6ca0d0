import { columnsByName, cpuPercentColumn } from '../analysis/charts/derived-columns.ts'
import { CurveCollector } from '../analysis/series/curve-collector.ts'
import type { AttemptCurves } from '../analysis/series/job-curves.ts'
import type { MarkReport } from '../analysis/series/marked.ts'
import type { GatheredReport } from '../analysis/workflow/gathered-report.ts'
import type { JobChartData } from '../model/job-chart-data.ts'
import type { JobRecord } from '../model/record.ts'
import type { Columns, Series, SeriesColumns } from '../model/series.ts'
import { HeldSeries } from '../store/series/held-series.ts'
import type { System } from '../system/system.ts'

/** As many points as a wide screen has pixels across. */
const bucketsOfOne = 1000

/** One recorded attempt of one job. */
export function gatherJob(
  system: System,
  record: JobRecord,
  series: Series,
  { marks, charts }: { readonly marks: MarkReport | null; readonly charts: JobChartData },
): GatheredReport {
  const { jobId, name, status, requirements, attempt } = record
  const { taskId, user, machine, startedAt, endedAt, command } = record
  const samples = new HeldSeries([series], []).readColumns(curveColumns)
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
            curves: sampleCurves(record, samples, bucketsOfOne),
            charts,
          },
        ],
      },
    ],
    recommendation: null,
  }
}

/** What curves are derived from, wherever it is kept. */
export const curveColumns: Columns = [
  'elapsed_seconds',
  'cpu_user_seconds',
  'cpu_system_seconds',
  'num_threads',
  'memory_bytes',
  'num_processes',
  'read_bytes',
  'write_bytes',
]

/** What the samples of an attempt show over time, thinned to so many buckets; null where there are none. */
export function sampleCurves(
  record: JobRecord,
  samples: SeriesColumns,
  buckets: number,
): AttemptCurves | null {
  const { startedAt, attempt, machine } = record
  const of = columnsByName(samples)
  const cpuPercents = cpuPercentColumn(of, machine.cores)
  const [memory, processes] = [of('memory_bytes'), of('num_processes')]
  const [read, write] = [of('read_bytes'), of('write_bytes')]
  const collector = new CurveCollector(buckets)
  for (const [row, elapsed] of of('elapsed_seconds').entries())
    if (!Number.isNaN(elapsed))
      collector.add({
        jobId: 1,
        attempt,
        timestamp: startedAt + elapsed,
        cpuPercent: cpuPercents[row] ?? Number.NaN,
        memoryBytes: memory[row] ?? Number.NaN,
        processes: processes[row] ?? Number.NaN,
        readBytes: read[row] ?? Number.NaN,
        writeBytes: write[row] ?? Number.NaN,
      })
  return collector.curves(1)[0] ?? null
}
