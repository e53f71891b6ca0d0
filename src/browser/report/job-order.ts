import type { ReportJob } from '../../render/page/report-content.ts'

/** By what jobs are sorted, and which way round. */
export interface JobOrder {
  readonly key: SortKey
  readonly direction: 1 | -1
}

export type SortKey = (job: ReportJob) => string | number | null

export const inOrderOf = (jobs: readonly ReportJob[], { key, direction }: JobOrder): ReportJob[] =>
  jobs.toSorted((a, b) => {
    const [left, right] = [key(a), key(b)]
    // What is not known comes last, whichever way the rest is sorted.
    if (isUnknown(left) || isUnknown(right))
      return Number(isUnknown(left)) - Number(isUnknown(right))
    return direction * compared(left, right) || a.id - b.id
  })

const isUnknown = (value: string | number | null): value is null =>
  value === null || Number.isNaN(value)

const compared = (left: string | number, right: string | number): number =>
  typeof left === 'number' && typeof right === 'number'
    ? left - right
    : String(left).localeCompare(String(right), 'en', { numeric: true })
