import * as fc from 'fast-check'
import { chartedColumns } from '../../src/analysis/charts/derived-columns.ts'
import { jobChartData } from '../../src/analysis/charts/job-chart-data.ts'
import { CurveCollector } from '../../src/analysis/series/curve-collector.ts'
import { measured } from '../../src/model/measured.ts'
import type { OutcomeStatus } from '../../src/model/outcome.ts'
import type { JobRecord } from '../../src/model/record.ts'
import { sampleWidth } from '../synthetic/sample-width.ts'
import { sampleIndex, type SampleColumn } from '../../src/model/sample.ts'
import { emptyUsage } from '../../src/model/usage.ts'
import type { ReportSource } from '../../src/render/page/report-source.ts'
import { makeSeriesFile } from '../../src/store/series/series-file.ts'
import { someEnd, someStart } from '../contracts/attempts.ts'

/** A job as the pages may come to show it, however odd. */
export interface AnyJob {
  readonly name: string
  readonly cpuPercent: number
  readonly memoryBytes: number
  readonly seconds: number
  readonly attempts: number
  readonly requestedCpus: number | null
  readonly requestedMemoryBytes: number | null
  readonly requestedRuntimeSeconds: number | null
}

const letters = {
  latin: ['a', 'W', 'i', '_', '9', ' '],
  chinese: ['数', '据', '分', '析', '運'],
  hebrew: ['ש', 'ל', 'ו', 'ם', ' '],
  markup: ['<b>', '&amp;', '</script>', '"', '%{y}', '<img src=x onerror=alert(1)>'],
}

const anyName = fc
  .tuple(fc.constantFrom(...Object.values(letters)), fc.integer({ min: 1, max: 200 }))
  .chain(([some, most]) =>
    fc.string({ unit: fc.constantFrom(...some), minLength: most, maxLength: most }),
  )
  .map((name) => Array.from(name).slice(0, 200).join(''))

/** From nothing to what no machine has; most often what machines have. */
const upTo = (most: number) =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(0, most) },
    {
      weight: 3,
      arbitrary: fc.double({ min: 0, max: 10, noNaN: true }).map((power) => 10 ** power),
    },
  )

const anyFactor = fc.option(fc.constantFrom(0.01, 0.5, 0.99, 1, 1.5, 8, 1000), { nil: null })

const anyJob: fc.Arbitrary<AnyJob> = fc
  .record({
    name: anyName,
    cpuPercent: upTo(1e15),
    memoryBytes: upTo(1e15),
    seconds: fc.integer({ min: 1, max: 100_000 }),
    attempts: fc.integer({ min: 1, max: 3 }),
    factors: fc.tuple(anyFactor, anyFactor, anyFactor),
  })
  .map(({ factors: [cpu, memory, runtime], ...job }) => ({
    ...job,
    requestedCpus: cpu === null ? null : (job.cpuPercent / 100) * cpu,
    requestedMemoryBytes: memory === null ? null : job.memoryBytes * memory,
    requestedRuntimeSeconds: runtime === null ? null : job.seconds * runtime,
  }))

/** One job of many attempts, each with phases: more notes than a narrow plot has room for. */
export const phasedJobs: readonly AnyJob[] = [
  {
    name: 'phased',
    cpuPercent: 400,
    memoryBytes: 2 ** 30,
    seconds: 120,
    attempts: 6,
    requestedCpus: 4,
    requestedMemoryBytes: 2 ** 31,
    requestedRuntimeSeconds: 100,
  },
]

/** Always the same lists of jobs, of each of these lengths. */
export const anyJobs = (seed: number, lengths: readonly number[]): AnyJob[][] =>
  lengths.map(
    (length, index) =>
      fc.sample(fc.array(anyJob, { minLength: length, maxLength: length, size: 'max' }), {
        seed: seed + index,
        numRuns: 1,
      })[0] ?? [],
  )

const startSeconds = 1_760_520_600
const steps = 12
/** What a job used after each part of its time, in parts of its peak. */
const shape = (step: number): number => (step < 3 ? step / 3 : step % 4 === 3 ? 1 : 0.8)

/** The start of an attempt: each after the one before it, jobs a little apart. */
const startOf = (job: AnyJob, index: number, attempt: number): number =>
  startSeconds + index * 7 + (attempt - 1) * (job.seconds + 3)

/** Answers the path of the file that it makes. */
export function makeSeriesOf(directory: string, jobs: readonly AnyJob[]): string {
  const run = { ledger: '/home/ada/ledger.db', host: 'node01', workflowId: 1, runId: jobs.length }
  const file = makeSeriesFile(directory, run)
  for (const [index, job] of jobs.entries()) {
    const jobId = index + 1
    const { requestedCpus, requestedMemoryBytes, requestedRuntimeSeconds } = job
    file.addJob({
      jobId,
      jobName: job.name,
      taskId: String(jobId).padStart(32, '0'),
      cores: 16,
      requestedCpus,
      requestedMemoryBytes,
      requestedRuntimeSeconds,
    })
    for (let attempt = 1; attempt <= job.attempts; attempt++)
      file.writer(jobId, attempt).add(sampleRowsOf(job, startOf(job, index, attempt)), steps)
  }
  file.close()
  return file.path
}

function sampleRowsOf(job: AnyJob, start: number): Float64Array {
  const rows = new Float64Array(steps * sampleWidth).fill(Number.NaN)
  const stepSeconds = job.seconds / (steps - 1)
  let cpuSeconds = 0
  for (let step = 0; step < steps; step++) {
    const row = rows.subarray(step * sampleWidth, (step + 1) * sampleWidth)
    if (step > 0) cpuSeconds += (job.cpuPercent / 100) * stepSeconds * shape(step)
    row[sampleIndex.timestamp] = start + step * stepSeconds
    row[sampleIndex.elapsed_seconds] = step * stepSeconds
    row[sampleIndex.cpu_user_seconds] = cpuSeconds
    row[sampleIndex.cpu_system_seconds] = 0
    row[sampleIndex.memory_bytes] = Math.round(job.memoryBytes * shape(step))
    row[sampleIndex.num_processes] = 1 + step
    row[sampleIndex.read_bytes] = step * 1e6
    row[sampleIndex.write_bytes] = step * 1e9
  }
  return rows
}

/** A report on these jobs, one after the other in threes. */
export function reportOf(jobs: readonly AnyJob[], kind: ReportSource['kind']): ReportSource {
  return {
    kind,
    zone: 'utc',
    title: jobs[0]?.name ?? '',
    facts: [
      ['Host', 'node01'],
      ['File', jobs.at(-1)?.name ?? ''],
    ],
    generatedAt: startSeconds + 1e6,
    version: '1.2.3',
    runs: [{ runId: 1, startedAt: startSeconds, endedAt: null }],
    jobs: jobs.map((job, index) => reportJob(job, index, jobs[index - 3]?.name)),
    recommendations: jobs.slice(0, 4).map(({ name }) => ({
      requirement: name,
      resource: 'Memory',
      now: '2.00 GB',
      suggested: '3.00 GB',
      reason: 'peak 2.60 GB + 15 %',
      confidence: 'low (1 attempt)',
    })),
  }
}

function reportJob(
  job: AnyJob,
  index: number,
  before: string | undefined,
): ReportSource['jobs'][number] {
  const requirements = {
    cpus: job.requestedCpus,
    memoryBytes: job.requestedMemoryBytes,
    gpus: null,
    runtimeSeconds: job.requestedRuntimeSeconds,
  }
  const status: OutcomeStatus = index % 5 === 4 ? 'failed' : 'success'
  const collector = new CurveCollector(100)
  const attempts = Array.from({ length: job.attempts }, (_, earlier) => {
    const attempt = earlier + 1
    const startedAt = startOf(job, index, attempt)
    for (let step = 0; step < steps; step++)
      collector.add({
        jobId: 1,
        attempt,
        timestamp: startedAt + (step * job.seconds) / (steps - 1),
        cpuPercent: job.cpuPercent * shape(step),
        memoryBytes: job.memoryBytes * shape(step),
        processes: step,
        readBytes: step * 1e6,
        writeBytes: step * 1e9,
      })
    return { attempt, startedAt }
  })
  return {
    jobId: index + 1,
    name: job.name,
    state: status,
    requirementsName: null,
    requirements,
    dependsOn: before === undefined ? [] : [before],
    attempts: attempts.map(({ attempt, startedAt }) => {
      const started = someStart('a'.repeat(32), {
        startedAt,
        job: { name: job.name, requirements },
      })
      const { outcome, ...end } = someEnd({
        endedAt: startedAt + job.seconds,
        durationSeconds: job.seconds,
        outcome: {
          status,
          exitCode: status === 'success' ? 0 : 1,
          signal: null,
          reason: status === 'success' ? null : `out of memory: ${job.name}`,
          stragglers: [],
        },
        usage: {
          ...emptyUsage('the machine does not tell'),
          cpuPercentPeak: measured(job.cpuPercent, 'cgroup'),
          memoryPeakBytes: measured(job.memoryBytes, 'PSS at highs'),
        },
      })
      const record = {
        ...started.job,
        ...started,
        ...end,
        ...outcome,
        jobId: index + 1,
        attempt,
      }
      return {
        runId: 1,
        attempt,
        record,
        charts: chartsOf(job, record),
        curves: collector.curves(1).find((curves) => curves.attempt === attempt) ?? null,
        marks: null,
      }
    }),
  }
}

function chartsOf(job: AnyJob, record: JobRecord): ReturnType<typeof jobChartData> {
  const rows = sampleRowsOf(job, record.startedAt)
  const values = chartedColumns.map((name) =>
    Float64Array.from(
      { length: steps },
      (_, step) => rows[step * sampleWidth + sampleIndex[name as SampleColumn]] ?? Number.NaN,
    ),
  )
  const samples = { columns: chartedColumns, values }
  const range = { fromSeconds: 0, toSeconds: job.seconds, points: 400 }
  return jobChartData({ record, samples, devices: [], marks: [], whyNone: '' }, range, true)
}
