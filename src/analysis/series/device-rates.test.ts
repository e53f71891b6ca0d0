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
    const derived = withRates({ kind: 'interface', id: 'eth0', columns, rows }, 2)
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
    const derived = withRates({ kind: 'network', id: 'eth0', columns, rows }, 2)
    expect(derived.rows.map((row) => Array.from(row.subarray(4)))).toEqual([
      [NaN, NaN],
      [NaN, 10],
      [2000, NaN],
      [NaN, 15],
    ])
  })

  it('tell the CPU of a thread in percent, never more than one core', () => {
    const rows = [
      [100.3, 0.3, 0.01, 0],
      [100.32, 0.32, 0.06, 0],
      [101, 1, 0.4, 0],
    ].map((row) => Float64Array.from(row))
    const times = ['timestamp', 'elapsed_seconds', 'cpu_user_seconds', 'cpu_system_seconds']
    const derived = withRates({ kind: 'thread', id: '7/7 work', columns: times, rows }, 2)
    expect(derived.columns).toEqual([...times, 'cpu_percent'])
    const percents = derived.rows.map((row) => row[4])
    expect(percents[0]).toBeNaN()
    expect(percents[1]).toBeCloseTo(100)
    expect(percents[2]).toBeCloseTo(50)
  })

  it('leave devices alone whose columns are not counters', () => {
    const card = { kind: 'gpu', id: '0', columns: ['timestamp', 'elapsed_seconds'], rows: [] }
    expect(withRates(card, 2)).toBe(card)
    expect(withRates({ ...card, kind: 'constructor' }, 2)).toEqual({ ...card, kind: 'constructor' })
  })
})
