import type { UsageKey } from '../../model/usage.ts'
import { usageGroups } from '../usage-labels.ts'
import type { ReportSourceJob } from './report-source.ts'

/** How one figure was obtained, over all attempts of a report. */
export interface MeasuredHow {
  readonly group: string
  readonly label: string
  /** Each way, or each reason why not, with how many attempts it holds for; the most frequent first. */
  readonly ways: readonly {
    readonly text: string
    readonly isMeasured: boolean
    readonly count: number
  }[]
}

export function measuredHow(jobs: readonly ReportSourceJob[]): MeasuredHow[] {
  const records = jobs.flatMap(({ attempts }) => attempts.map(({ record }) => record))
  return usageGroups
    .filter(([group]) => group !== 'Machine')
    .flatMap(([group, labels]) =>
      Object.entries(labels).map(([key, label]) => {
        const counts = new Map<string, number>()
        for (const { usage } of records) {
          const figure = usage[key as UsageKey]
          const way = figure.value === null ? `-${figure.why}` : `+${figure.basis}`
          counts.set(way, (counts.get(way) ?? 0) + 1)
        }
        const ways = [...counts]
          .toSorted(([, a], [, b]) => b - a)
          .map(([way, count]) => ({ text: way.slice(1), isMeasured: way.startsWith('+'), count }))
        return { group, label, ways }
      }),
    )
    .filter(({ ways }) => ways.length > 0)
}
