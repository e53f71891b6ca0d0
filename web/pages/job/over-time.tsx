import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { jobCharts, type JobCharts } from '../../../src/browser/job/job-charts.ts'
import type { JobChartData } from '../../../src/model/job-chart-data.ts'
import { ask } from '../../api.ts'
import { useAsked } from '../../asked.ts'
import { onSamples } from '../../live/news.ts'
import { ProblemNote } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { query, setQuery } from '../../route.ts'
import { LiveCharts } from './live-charts.ts'

/** About as many as a chart has pixels. */
const points = 1500

/** The job over time: every resource in a chart of its own, on one axis. The address holds the range that is shown. */
export function OverTime({
  taskId,
  again = '',
  name = '',
}: {
  readonly taskId: string
  readonly again?: string
  /** Where a page has the charts of two jobs: which of them these are. */
  readonly name?: string
}) {
  const path = `/jobs/${encodeURIComponent(taskId)}/chart?points=${points}`
  const gaps = useSignal(0)
  const asked = useAsked<JobChartData>(path, `${again} ${gaps.value}`)
  const { value, error } = asked.value
  const place = useRef<HTMLDivElement>(null)
  const charts = useRef<JobCharts | undefined>(undefined)
  const live = useRef<LiveCharts | undefined>(undefined)
  const isAlone = name === ''

  useEffect(() => {
    if (value === undefined || place.current === null) return
    if (charts.current !== undefined) {
      charts.current.update(value)
      return live.current?.read(value)
    }
    const made = jobCharts(place.current, value, {
      onRange: (from, to) => {
        if (isAlone) keepRange(from, to, value)
        void readFiner(made, path, from, to)
      },
    })
    charts.current = made
    live.current?.read(value)
    const [from, to] = [numberIn('from'), numberIn('to')]
    if (isAlone && from !== null && to !== null) made.setRange(from, to)
  }, [value])
  useEffect(() => {
    if (error !== undefined) live.current?.failed()
  }, [error])
  useEffect(() => {
    live.current = new LiveCharts(
      (rows) => charts.current?.append(rows),
      () => gaps.value++,
    )
    return onSamples(taskId, (event) => live.current?.take(event, asked.peek().isWaiting))
  }, [taskId])
  useEffect(() => () => charts.current?.destroy(), [])
  return (
    <Section id={`series${name}`} title={isAlone ? 'Over time' : `Over time, ${name}`}>
      {error === undefined && value === undefined && <p class="loading">Reading…</p>}
      {error !== undefined && value === undefined && <ProblemNote error={error} />}
      {value !== undefined && value.charts.length === 0 && <NoCharts data={value} />}
      <div ref={place} />
    </Section>
  )
}

const NoCharts = ({ data }: { readonly data: JobChartData }) => (
  <p class="quiet">
    {data.absent[0]?.why ??
      (data.duration_seconds === null ? 'No sample has been taken yet.' : 'There are no samples.')}
  </p>
)

const numberIn = (name: string): number | null => {
  const text = query.peek().get(name)
  return text === null || !Number.isFinite(Number(text)) ? null : Number(text)
}

function keepRange(from: number, to: number, { to_seconds: end }: JobChartData): void {
  const isWhole = from <= 0 && to >= end
  setQuery({ from: isWhole ? null : from.toFixed(2), to: isWhole ? null : to.toFixed(2) })
}

/** A part of a long series has more points than the whole had there. */
async function readFiner(charts: JobCharts, path: string, from: number, to: number): Promise<void> {
  try {
    const finer = await ask<JobChartData>(`${path}&from=${from}&to=${to}`)
    const [shownFrom, shownTo] = charts.range()
    if (shownFrom === from && shownTo === to) charts.update(finer)
  } catch {
    // What is shown stays as it is, only coarser.
  }
}
