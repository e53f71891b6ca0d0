import { useEffect, useRef } from 'preact/hooks'
import { jobCharts, type JobCharts } from '../../src/browser/job/job-charts.ts'
import { clockAxis } from '../../src/browser/job/time-axis.ts'
import type { JobChartData } from '../../src/model/job-chart-data.ts'

/** Charts as those of jobs, with the time of the clock below them. */
export function ClockCharts({
  data,
  onRange,
  only,
  shown: part,
}: {
  readonly data: JobChartData
  /** Another stretch of time was chosen with pointer or keys, in seconds since 1970. */
  readonly onRange?: ((from: number, to: number) => void) | undefined
  /** The charts that are wanted; all where none is named. */
  readonly only?: readonly string[] | undefined
  /** The part that is shown at first, in seconds since 1970. */
  readonly shown?: readonly [from: number, to: number] | undefined
}) {
  const place = useRef<HTMLDivElement>(null)
  const charts = useRef<JobCharts | undefined>(undefined)
  useEffect(() => {
    if (place.current === null) return undefined
    const { started_at: start, to_seconds: end } = data
    const shown =
      only === undefined
        ? data
        : { ...data, charts: data.charts.filter(({ id }) => only.includes(id)) }
    const made = jobCharts(place.current, shown, {
      axis: clockAxis(start),
      onRange: (from, to) => {
        if (from > 0 || to < end) onRange?.(start + from, start + to)
      },
    })
    charts.current = made
    if (part !== undefined) made.setRange(part[0] - start, part[1] - start)
    return () => made.destroy()
  }, [data])
  return <div ref={place} />
}
