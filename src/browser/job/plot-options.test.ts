import { expect, it } from 'vitest'
import type { ChartSeries, ChartUnit } from '../../model/job-chart-data.ts'
import { inkOf, seriesColour } from './colours.ts'
import { limitColour } from './plot-options.ts'

it('draws the limit of memory in the colour of memory where CPU has the other scale', () => {
  const figures = { lowest: 0, mean: 0, highest: 1, highest_at_seconds: 1 }
  const line = (name: string, unit: ChartUnit): ChartSeries => ({
    name,
    label: name,
    unit,
    values: [1],
    figures,
  })
  const [cpu, memory] = [line('container_0_cpu_percent', 'core_percent'), line('memory', 'bytes')]
  const both = { series: [cpu, memory] }
  expect(limitColour(both, 'bytes', 'light')).toBe(seriesColour('memory', 'light'))
  expect(limitColour({ series: [memory] }, 'bytes', 'dark')).toBe(inkOf('dark').ink)
})
