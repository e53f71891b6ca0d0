import { describe, expect, it } from 'vitest'
import { deviceCharts } from './device-charts.ts'

const thread = (id: string, rows: readonly (readonly number[])[]) => ({
  kind: 'thread' as const,
  id,
  columns: ['timestamp', 'elapsed_seconds', 'cpu_user_seconds', 'cpu_system_seconds'],
  rows: rows.map((row) => Float64Array.from(row)),
})

describe('the chart of the busiest threads', () => {
  const busy = thread('7 solver', [
    [101, 1, 0.5, 0],
    [102, 2, 1.5, 0],
  ])
  const seenOnce = thread('8 idle', [[101, 1, 0, 0]])

  it('has no thread of which there is nothing to draw', () => {
    const [chart] = deviceCharts([seenOnce, busy], 2)
    expect(chart?.series.map(({ label }) => label)).toEqual(['solver'])
    expect(deviceCharts([seenOnce], 2)).toEqual([])
  })
})
