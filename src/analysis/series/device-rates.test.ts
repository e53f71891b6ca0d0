import { describe, expect, it } from 'vitest'
import { withRates } from './device-rates.ts'

const columns = ['timestamp', 'elapsed_seconds', 'received_bytes', 'sent_bytes']

describe('the rates of a device', () => {
  it('cover the time since the row before, and are not known where there is none', () => {
    const rows = [
      [100, 0, 1000, 50],
      [102, 2, 5000, 50],
      [103, 3, 4000, 60],
      [103, 3, 4100, 60],
    ].map((row) => Float64Array.from(row))
    const derived = withRates({ kind: 'interface', id: 'eth0', columns, rows })
    expect(derived.columns).toEqual([
      ...columns,
      'received_bytes_per_second',
      'sent_bytes_per_second',
    ])
    expect(derived.rows.map((row) => Array.from(row.subarray(4)))).toEqual([
      [NaN, NaN],
      [2000, 0],
      // The counter went back; then no time passed.
      [NaN, 10],
      [NaN, NaN],
    ])
  })

  it('cover the time since the counter was last read', () => {
    const rows = [
      [100, 0, 1000, 50],
      [101, 1, NaN, 60],
      [102, 2, 5000, NaN],
      [103, 3, NaN, 90],
    ].map((row) => Float64Array.from(row))
    const derived = withRates({ kind: 'network', id: 'eth0', columns, rows })
    expect(derived.rows.map((row) => Array.from(row.subarray(4)))).toEqual([
      [NaN, NaN],
      [NaN, 10],
      [2000, NaN],
      [NaN, 15],
    ])
  })

  it('leave devices alone whose columns are not counters', () => {
    const card = { kind: 'gpu', id: '0', columns: ['timestamp', 'elapsed_seconds'], rows: [] }
    expect(withRates(card)).toBe(card)
    expect(withRates({ ...card, kind: 'constructor' })).toEqual({ ...card, kind: 'constructor' })
  })
})
