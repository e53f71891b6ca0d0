import { describe, expect, it } from 'vitest'
import { deviceCpuPercents } from './device-cpu.ts'

const thread = (rows: readonly (readonly [number, number])[]) => ({
  kind: 'thread',
  id: '7/7 work',
  columns: ['timestamp', 'elapsed_seconds', 'cpu_user_seconds', 'cpu_system_seconds'],
  rows: rows.map(([at, cpu]) => Float64Array.of(1000 + at, at, cpu, 0)),
})

describe('the CPU of a device in percent', () => {
  it('is never more than 100 for a thread, however late its first rows were stamped', () => {
    // As a container is found: the counters show more than has passed since the row before.
    const late = thread([
      [0.311, 0],
      [0.324, 0.06],
      [0.5, 0.24],
      [1.001, 0.75],
    ])
    const [first, ...percents] = deviceCpuPercents(late, 2) ?? []
    expect(first).toBeNaN()
    for (const percent of percents) expect(percent).toBeCloseTo(100)
  })

  it('is that of its rows where they can be so', () => {
    const rows = thread([
      [1, 0.2],
      [2, 0.7],
      [3, 0.7],
    ])
    const [, busy, idle] = deviceCpuPercents(rows, 2) ?? []
    expect(busy).toBeCloseTo(50)
    expect(idle).toBe(0)
  })

  it('is never more than a core for a container with one process', () => {
    const container = {
      kind: 'container',
      id: 'c0ffee',
      columns: ['timestamp', 'elapsed_seconds', 'cpu_seconds', 'pids'],
      rows: [
        [0.3, 0],
        [0.35, 0.04],
        [0.4, 0.0955],
        [0.5, 0.19],
      ].map(([at = 0, cpu = 0]) => Float64Array.of(1000 + at, at, cpu, 1)),
    }
    const [, ...percents] = deviceCpuPercents(container, 2) ?? []
    expect(Math.max(...percents)).toBeLessThanOrEqual(100 + 1e-9)
  })

  it('is that of its rows for a container of many processes that works again at its end', () => {
    const container = {
      kind: 'container',
      id: 'c0ffee',
      columns: ['timestamp', 'elapsed_seconds', 'cpu_seconds', 'pids'],
      rows: [
        [1, 4.000_123, 40],
        [2, 8.000_456, 40],
        [3, 8.000_456, 40],
        [4, 9.000_456, 40],
        [4.2, 9.020_456, 0],
      ].map(([at = 0, cpu = 0, pids = 0]) => Float64Array.of(1000 + at, at, cpu, pids)),
    }
    const [, busy, rest, again, end] = deviceCpuPercents(container, 16) ?? []
    expect(busy).toBeCloseTo(400, 0)
    expect(rest).toBe(0)
    expect(again).toBeCloseTo(100)
    expect(end).toBeCloseTo(10)
  })

  it('is not told of devices that have no CPU time', () => {
    const card = { kind: 'gpu', id: '0', columns: ['timestamp', 'elapsed_seconds'], rows: [] }
    expect(deviceCpuPercents(card, 2)).toBeUndefined()
  })
})
