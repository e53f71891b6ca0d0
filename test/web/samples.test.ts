import { describe, expect, it } from 'vitest'
import { forgetSamples, latestSamples, takeSamples } from '../../web/live/samples.ts'

const columns = ['elapsed_seconds', 'cpu_percent', 'memory_bytes']
const told = (task_id: string, rows: (number | null)[][]) =>
  takeSamples({ task_id, columns, first_row: 0, rows, devices: [] })

describe('the latest samples of a running job', () => {
  it('join those that came before; rows that are told again take their place', () => {
    told('a', [
      [1, 10, 100],
      [2, 20, 200],
      [3, 30, null],
    ])
    told('a', [
      [3, 33, 300],
      [4, 40, 400],
    ])
    const { times, cpuPercent, memoryBytes, machineCpuPercent } = latestSamples('a').value
    expect(times).toEqual([1, 2, 3, 4])
    expect(cpuPercent).toEqual([10, 20, 33, 40])
    expect(memoryBytes).toEqual([100, 200, 300, 400])
    expect(machineCpuPercent).toEqual([null, null, null, null])
  })

  it('are no more than a screen shows, and gone with the job', () => {
    told(
      'b',
      Array.from({ length: 500 }, (_, second) => [second, second, second]),
    )
    expect(latestSamples('b').value.times).toHaveLength(90)
    expect(latestSamples('b').value.times.at(-1)).toBe(499)
    forgetSamples('b')
    expect(latestSamples('b').value.times).toEqual([])
  })

  it('tell of each card what it does now and lately', () => {
    const card = {
      kind: 'gpu',
      id: 'GPU-1',
      columns: ['elapsed_seconds', 'utilization_percent', 'memory_used_bytes'],
      first_row: 0,
    }
    const device = (rows: number[][]) =>
      takeSamples({
        task_id: 'c',
        columns,
        first_row: 0,
        rows: [],
        devices: [{ ...card, rows }],
      })
    device([[1, 50, 2]])
    device([[2, 70, 3]])
    const { cards, cardPercents } = latestSamples('c').value
    expect(cards.get('GPU-1')).toEqual({
      utilizationPercent: 70,
      memoryUsedBytes: 3,
      memoryTotalBytes: null,
    })
    expect(cardPercents.get('GPU-1')).toEqual([50, 70])
  })
})
