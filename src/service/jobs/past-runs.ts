import { judge, type Change } from '../../analysis/benchmark/regression.ts'
import { sizedRecord } from '../../analysis/sizing/sized-record.ts'
import { sizeRequest, type RequestAdvice } from '../../analysis/sizing/sizing.ts'
import { median } from '../../analysis/statistics/median.ts'
import type { ListedJob } from '../../model/listed-job.ts'
import type { JobRecord } from '../../model/record.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'

export const trendMetrics = ['duration', 'cpu', 'memory'] as const
export type TrendMetric = (typeof trendMetrics)[number]

/** How the newest runs of a job stand against those before. */
export interface Trend {
  readonly metric: TrendMetric
  /** Whether they differ by more than noise. */
  readonly change: Change
  /** Medians of runs that succeeded; null if there are none. */
  readonly newest: number | null
  readonly before: number | null
}

export interface PastRuns {
  /** Of the same name, folder and user, newest first; the job itself is among them. */
  readonly runs: readonly ListedJob[]
  readonly trends: readonly Trend[]
}

/** So many of the newest runs are set against the others. */
const newestRuns = 5

/** What makes two runs the same job. */
type Same = Pick<JobRecord, 'name' | 'workingDirectory' | 'user'>

const sameJob = ({ name, workingDirectory, user }: Same) => ({ name, workingDirectory, user })

/** The other runs of a job, and whether it became slower or larger. */
export async function pastRunsOf(
  { jobs }: Pick<LedgerReader, 'jobs'>,
  job: Same,
  limit: number,
): Promise<PastRuns> {
  const found = await jobs.page({ ...sameJob(job), limit }, null)
  const runs = found.map((one) => one.job)
  return { runs, trends: trendsOf(runs.filter(({ status }) => status === 'success')) }
}

function trendsOf(runs: readonly ListedJob[]): Trend[] {
  const sides = trendMetrics.map((metric) => ({
    a: figuresOf(runs.slice(newestRuns), metric),
    b: figuresOf(runs.slice(0, newestRuns), metric),
  }))
  return judge(sides).map(({ change }, index) => {
    const { a = [], b = [] } = sides[index] ?? {}
    return {
      metric: trendMetrics[index] ?? 'duration',
      change,
      newest: b.length === 0 ? null : median(b),
      before: a.length === 0 ? null : median(a),
    }
  })
}

const figuresOf = (runs: readonly ListedJob[], metric: TrendMetric): number[] =>
  runs.map((run) => figureOf(run, metric)).filter((figure) => figure !== null)

function figureOf({ durationSeconds, usage }: ListedJob, metric: TrendMetric): number | null {
  switch (metric) {
    case 'duration':
      return durationSeconds
    case 'cpu':
      return usage.cpuTotalSeconds.value
    case 'memory':
      return usage.memoryPeakBytes.value
  }
}

/** Enough to know what a job needs, and soon read. */
const sizedRuns = 20

export interface CommandAdvice {
  /** How many runs were looked at. */
  readonly runs: number
  readonly advice: RequestAdvice
}

/** What to ask for next time, by the last runs of the same job. */
export async function sizeJob(
  { jobs }: Pick<LedgerReader, 'jobs'>,
  job: JobRecord,
): Promise<CommandAdvice> {
  const runs = await jobs.find({ ...sameJob(job), limit: sizedRuns })
  return { runs: runs.length, advice: sizeRequest(job.requirements, runs.map(sizedRecord)) }
}
