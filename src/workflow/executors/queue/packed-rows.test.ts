import { describe, expect, it } from 'vitest'
import { sampleNames } from '../../../model/sample.ts'
import { GatheredRows, unpackRows } from './packed-rows.ts'

const width = sampleNames.length
const row = (value: number): Float64Array => new Float64Array(width).fill(value)

describe('rows of samples on their way', () => {
  it('arrive as they were', () => {
    const gathered = new GatheredRows()
    expect(gathered.packed()).toBeUndefined()
    gathered.add(new Float64Array([...row(1), ...row(Number.NaN)]), 2, sampleNames)
    gathered.add(row(3.25), 1, sampleNames)
    const packed = gathered.packed()
    if (packed === undefined) throw new Error('there are none')
    const { columns, count, values } = unpackRows(packed)
    expect(columns).toEqual(sampleNames)
    expect(count).toBe(3)
    expect([values[0], values[width], values[2 * width]]).toEqual([1, Number.NaN, 3.25])
  })

  it('bring those of devices along', () => {
    const gathered = new GatheredRows()
    const gpu = { kind: 'gpu', id: 'GPU-1', columns: ['elapsed_seconds', 'gpu_percent'] }
    gathered.addDevices([{ ...gpu, rows: new Float64Array([1, 50]), count: 1 }])
    gathered.addDevices([
      { ...gpu, rows: new Float64Array([2, 60]), count: 1 },
      { ...gpu, id: 'GPU-2', rows: new Float64Array([2, Number.NaN]), count: 1 },
    ])
    const packed = gathered.packed()
    if (packed === undefined) throw new Error('there are none')
    const { count, devices } = unpackRows(JSON.parse(JSON.stringify(packed)) as typeof packed)
    expect(count).toBe(0)
    expect(devices).toEqual([
      { ...gpu, rows: new Float64Array([1, 50, 2, 60]), count: 2 },
      { ...gpu, id: 'GPU-2', rows: new Float64Array([2, Number.NaN]), count: 1 },
    ])
  })

  it('are thinned where there are many', () => {
    const gathered = new GatheredRows()
    for (let value = 0; value < 10_000; value++) gathered.add(row(value), 1, sampleNames)
    const packed = gathered.packed()
    if (packed === undefined) throw new Error('there are none')
    const { count, values } = unpackRows(packed)
    expect(count).toBeGreaterThan(1000)
    expect(count).toBeLessThan(2000)
    const firsts = Array.from({ length: count }, (_, index) => values[index * width] ?? -1)
    expect(firsts).toEqual(firsts.toSorted((one, other) => one - other))
    expect(firsts.at(-1)).toBeGreaterThan(9900)
  })
})
