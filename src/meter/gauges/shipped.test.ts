import { describe, expect, it } from 'vitest'
import { sampleColumns, sampleNames } from '../../model/sample.ts'
import { isFurtherKey, usageKeys } from '../../model/usage.ts'
import { describedColumns } from './described-columns.ts'
import type { Gauge } from './gauge.ts'
import { describeColumns, layOut } from './sample-layout.ts'
import { shippedGauges } from './shipped.ts'

const silent: Gauge = {
  name: 'silent',
  columns: [],
  figures: [],
  follow: () => ({ look: () => {}, figures: () => ({}) }),
}

describe('the shipped gauges', () => {
  it('fill each column that every sample has, in its order, and say what it is', () => {
    const gauged = shippedGauges.flatMap(({ columns }) => columns.map(({ name }) => name))
    expect(['timestamp', 'elapsed_seconds', ...gauged]).toEqual(sampleNames)
    expect(describedColumns).toEqual(
      sampleColumns.map((column) => ({ ...column, says: expect.stringMatching(/\w/) })),
    )
  })

  it('measure each figure that every usage has, once, and say what it is', () => {
    const figures = shippedGauges.flatMap((gauge) => gauge.figures)
    const known = figures.map(({ key }) => key).filter((key) => !isFurtherKey(key))
    expect(known.toSorted()).toEqual([...usageKeys].toSorted())
    expect(new Set(figures.map(({ key }) => key)).size).toBe(figures.length)
    for (const { says } of figures) expect(says).toMatch(/\w/)
  })
})

describe('the layout of samples', () => {
  it('begins with the columns that every sample has, whichever gauges there are', () => {
    expect(layOut([]).columns).toEqual(sampleNames)
    const further: Gauge = {
      ...silent,
      columns: [{ name: 'fan_speed', kind: 'gauge', says: 'turns a second' }],
    }
    const { columns, places } = layOut([further, ...shippedGauges])
    expect(columns).toEqual([...sampleNames, 'fan_speed'])
    const all = places.flatMap((of) => Object.entries(of)).toSorted(([, a], [, b]) => a - b)
    expect(all).toEqual(columns.map((name, index) => [name, index]).slice(2))
  })

  it('has no column that two gauges would fill', () => {
    const second: Gauge = {
      ...silent,
      columns: [{ name: 'rss_bytes', kind: 'gauge', says: 'once more' }],
    }
    expect(() => layOut([...shippedGauges, second])).toThrow(
      'rss_bytes is a column of two gauges: memory and silent',
    )
    const clock: Gauge = { ...silent, columns: [{ name: 'timestamp', kind: 'time', says: '' }] }
    expect(() => layOut([clock])).toThrow('timestamp is a column of two gauges: time and silent')
  })

  it('shows a column that no gauge of this build knows by its name alone', () => {
    expect(describeColumns(['cpu_user_seconds', 'fan_speed'], shippedGauges)).toEqual([
      { name: 'cpu_user_seconds', kind: 'counter', says: 'CPU time in user code' },
      { name: 'fan_speed', kind: 'other', says: 'not known to this version' },
    ])
  })
})
