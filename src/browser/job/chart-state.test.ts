import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChartData } from '../../model/job-chart-data.ts'
import { ChartState } from './chart-state.ts'

const figures = { lowest: 0, mean: 0, highest: 30, highest_at_seconds: 3 }
const chart: ChartData = {
  id: 'cpu',
  title: 'CPU',
  times: [1, 2, 3],
  series: [
    { name: 'cpu_percent', label: 'CPU', unit: 'core_percent', values: [10, 20, 30], figures },
  ],
  lines: [],
}
const columns = ['elapsed_seconds', 'cpu_percent']

describe('a chart to which live samples are added', () => {
  it('takes those that are told again in the place of those that it had', () => {
    const state = new ChartState(chart)
    const rows = [
      [2, 25],
      [3, 5],
      [4, 15],
    ]
    expect(state.append({ columns, rows })).toBe(true)
    expect([state.times, state.values]).toEqual([[1, 2, 3, 4], [[10, 25, 5, 15]]])
    expect(state.highest(0)).toBe(25)
  })

  it('forgets a sample that is no longer told', () => {
    const state = new ChartState(chart)
    expect(state.append({ columns, rows: [[2, null]] })).toBe(true)
    expect([state.times, state.values, state.highest(0)]).toEqual([[1], [[10]], 10])
  })

  it('leaves a chart alone that the rows are not of', () => {
    const state = new ChartState(chart)
    expect(
      state.append({ columns: ['elapsed_seconds', 'gpu_0_power_watts'], rows: [[1, 5]] }),
    ).toBe(false)
    expect(state.times).toEqual([1, 2, 3])
  })

  it('has what was told last, however often rows are told', () => {
    const event = fc.record({ first: fc.nat(12), values: fc.array(fc.nat(99), { minLength: 1 }) })
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const state = new ChartState(chart)
        const all: (number | undefined)[] = [undefined, 10, 20, 30]
        for (const { first, values } of events) {
          state.append({ columns, rows: values.map((value, row) => [first + row, value]) })
          all.length = Math.min(all.length, first)
          values.forEach((value, row) => (all[first + row] = value))
        }
        const known = all.flatMap((value, at) => (value === undefined ? [] : [[at, value]]))
        expect(state.times).toEqual(known.map(([at]) => at))
        expect(state.values).toEqual([known.map(([, value]) => value)])
        expect(state.highest(0)).toBe(Math.max(...known.map(([, value]) => value ?? 0)))
      }),
      { seed: 7 },
    )
  })
})
