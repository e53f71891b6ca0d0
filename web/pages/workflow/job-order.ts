import type { JobState } from '../../../src/model/job-state.ts'
import type { JobNow } from './job-now.ts'

export const sortColumns = ['name', 'state', 'attempts', 'time', 'cpu', 'memory'] as const
export type SortColumn = (typeof sortColumns)[number]

interface JobOrder {
  readonly column: SortColumn
  /** `down` is the way that is most asked for: the worst state and the highest figure first, and names from A. */
  readonly direction: 'down' | 'up'
}

export const defaultOrder = 'state-down'

export function orderIn(text: string | null): JobOrder {
  const [column = '', direction = ''] = (text ?? defaultOrder).split('-')
  return {
    column: sortColumns.find((each) => each === column) ?? 'state',
    direction: direction === 'up' ? 'up' : 'down',
  }
}

/** What wants somebody's eye comes first. */
const ranks: Readonly<Record<JobState, number>> = {
  failed: 0,
  error: 1,
  timeout: 2,
  interrupted: 3,
  running: 4,
  cancelled: 5,
  waiting: 6,
  success: 7,
}

/** In this order; what is the same stays in the order of the file, and what has no figure comes last. */
export function inOrder(jobs: readonly JobNow[], { column, direction }: JobOrder): JobNow[] {
  const sign = direction === 'down' ? 1 : -1
  if (column === 'name') {
    const compare = new Intl.Collator('en', { numeric: true }).compare
    return jobs.toSorted((a, b) => sign * compare(a.name, b.name))
  }
  if (column === 'state') return jobs.toSorted((a, b) => sign * (ranks[a.state] - ranks[b.state]))
  const figure = figures[column]
  return jobs.toSorted((a, b) => {
    const [x, y] = [figure(a), figure(b)]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    return sign * (y - x)
  })
}

const figures: Readonly<
  Record<Exclude<SortColumn, 'name' | 'state'>, (job: JobNow) => number | null>
> = {
  attempts: ({ attempts }) => attempts,
  time: ({ durationSeconds }) => durationSeconds,
  cpu: ({ cpuPercentMean }) => cpuPercentMean,
  memory: ({ memoryPeakBytes }) => memoryPeakBytes,
}
