import type { ListedJob } from '../../model/listed-job.ts'
import { roundKeeping } from '../units/figures.ts'
import { listedJobJson } from './listed-job-json.ts'

/** Runs of the same job, newest first, and how the newest of them stand against those before. */
interface PastRuns {
  readonly runs: readonly ListedJob[]
  readonly trends: readonly {
    readonly metric: 'duration' | 'cpu' | 'memory'
    readonly change: string
    readonly newest: number | null
    readonly before: number | null
  }[]
}

export const pastRunsJson = (name: string, { runs, trends }: PastRuns): object => ({
  name,
  runs: runs.map(listedJobJson),
  trends: trends.map(({ metric, change, newest, before }) => {
    const rounded = (value: number | null): number | null =>
      value === null ? null : roundKeeping(value, metric === 'memory' ? 0 : 6)
    return {
      metric,
      unit: metric === 'memory' ? 'bytes' : 'seconds',
      change,
      newest: rounded(newest),
      before: rounded(before),
    }
  }),
})
