import { expect, it } from 'vitest'
import type { JobChartData } from '../../src/model/job-chart-data.ts'
import type { LiveSamplesData } from '../../src/server/schemas/live.ts'
import { LiveCharts } from '../../web/pages/job/live-charts.ts'

const read = (count: number): JobChartData => ({
  task_id: '0',
  name: 'job',
  started_at: 0,
  duration_seconds: null,
  from_seconds: 0,
  to_seconds: count,
  sample_count: count,
  is_whole: true,
  charts: [{ id: 'cpu', title: 'CPU', times: [], series: [], lines: [] }],
  absent: [],
  phases: [],
  marks: [],
})
const told = (first: number): LiveSamplesData => ({
  task_id: '0',
  columns: ['elapsed_seconds'],
  first_row: first,
  rows: [[first]],
  devices: [],
})
function watched(): { charts: LiveCharts; added: number[]; asked: () => number } {
  const added: number[] = []
  let asked = 0
  const charts = new LiveCharts(
    ({ rows }) => added.push(...rows.map(([at]) => at ?? -1)),
    () => asked++,
  )
  return { charts, added, asked: () => asked }
}

it('adds what was told while the charts were read, if they do not have it', () => {
  const { charts, added, asked } = watched()
  for (const row of [8, 9, 10, 11]) charts.take(told(row), true)
  expect(added).toEqual([])
  charts.read(read(10))
  expect([added, asked()]).toEqual([[8, 9, 10, 11], 0])
})

it('reads once where rows are missing, and goes on from there', () => {
  const { charts, added, asked } = watched()
  charts.read(read(3))
  for (const row of [3, 6, 7]) charts.take(told(row), false)
  expect([added, asked()]).toEqual([[3], 1])
  charts.read(read(7))
  charts.take(told(8), false)
  expect([added, asked()]).toEqual([[3, 6, 7, 8], 1])
})
