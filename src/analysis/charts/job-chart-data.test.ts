import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { poisson } from '../../../test/golden/render/crafted-records.ts'
import { sampleWidth } from '../../../test/synthetic/sample-width.ts'
import { sampleIndex, type SampleColumn, type SampleRow } from '../../model/sample.ts'
import type { DeviceSeries } from '../../model/series.ts'
import { deriveSeries } from '../series/rates.ts'
import { chartedColumns } from './derived-columns.ts'
import { jobChartData } from './job-chart-data.ts'

const columnsOf = (rows: readonly SampleRow[]) => ({
  columns: chartedColumns,
  values: chartedColumns.map((name) =>
    Float64Array.from(rows, (one) => one[sampleIndex[name as SampleColumn]] ?? Number.NaN),
  ),
})

function row(figures: Partial<Record<SampleColumn, number>>): SampleRow {
  const made = new Float64Array(sampleWidth).fill(Number.NaN)
  for (const [name, figure] of Object.entries(figures))
    made[sampleIndex[name as SampleColumn]] = figure
  return made
}

const chartsOf = (
  rows: readonly SampleRow[],
  devices: readonly DeviceSeries[] = [],
  points: number | null = null,
) =>
  jobChartData(
    { record: poisson, samples: columnsOf(rows), devices, marks: [], whyNone: '' },
    { fromSeconds: 0, toSeconds: Infinity, points },
    true,
  )

const valuesOf = ({ charts }: ReturnType<typeof chartsOf>, name: string) => {
  for (const { times, series } of charts) {
    const found = series.find((one) => one.name === name)
    if (found !== undefined) return new Map(times.map((time, at) => [time, found.values[at]]))
  }
  return new Map<number, number | null | undefined>()
}

describe('the charts of a job', () => {
  it('show the rates that the exported series has', () => {
    const step = fc.record({
      seconds: fc.integer({ min: 1, max: 20 }),
      user: fc.integer({ min: 0, max: 3000 }),
      read: fc.integer({ min: 0, max: 1e6 }),
      memory: fc.integer({ min: 1, max: 1e6 }),
      // Samples may come more often than a counter is read.
      isRead: fc.boolean(),
      isCpuRead: fc.integer({ min: 0, max: 9 }).map((one) => one > 0),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 60 }), (steps) => {
        let [seconds, user, read] = [0, 0, 0]
        const rows = steps.map((one) => {
          seconds += one.seconds
          user += one.user / 1000
          read += one.read
          return row({
            timestamp: seconds,
            elapsed_seconds: seconds,
            ...(one.isCpuRead ? { cpu_user_seconds: user, cpu_system_seconds: user / 8 } : {}),
            num_threads: 4,
            memory_bytes: one.memory,
            ...(one.isRead ? { read_bytes: read, io_pressure_seconds: seconds / 9 } : {}),
          })
        })
        const shown = chartsOf(rows)
        const [cpu, bytes, pressure] = [
          'cpu_percent',
          'read_bytes_per_second',
          'io_pressure_percent',
        ].map((name) => valuesOf(shown, name))
        for (const point of deriveSeries(rows, poisson.machine.cores)) {
          const at = point.elapsedSeconds ?? 0
          const close = (shownValue: number | null | undefined, value: number | null) =>
            expect(Math.abs((shownValue ?? 0) - (value ?? 0))).toBeLessThanOrEqual(
              1e-4 * Math.abs(value ?? 0) + 0.5,
            )
          close(cpu?.get(at), point.cpuPercent)
          close(bytes?.get(at), point.readBytesPerSecond)
          close(pressure?.get(at), point.ioPressurePercent)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('join looks that are a second apart, however many samples lie between them', () => {
    const rows = Array.from({ length: 100 }, (_, at) =>
      row({
        elapsed_seconds: at / 10,
        memory_bytes: 5,
        ...(at % 10 === 0 ? { read_bytes: at * 100 } : {}),
      }),
    )
    const io = chartsOf(rows).charts.find(({ id }) => id === 'io')
    expect(io?.times).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(io?.series[0]?.values).toEqual(Array.from({ length: 9 }, () => 1000))
  })

  it('have a gap where nothing was measured for longer than usual', () => {
    const rows = Array.from({ length: 20 }, (_, at) =>
      row({ elapsed_seconds: at, ...(at > 7 && at < 13 ? {} : { memory_bytes: 100 + at }) }),
    )
    const memory = chartsOf(rows).charts.find(({ id }) => id === 'memory')
    expect(memory?.times.filter((_, at) => memory.series[0]?.values[at] === null)).toEqual([8])
  })

  it('say why a chart is not there', () => {
    const rows = [0, 1, 2].map((at) =>
      row({ elapsed_seconds: at, memory_bytes: 1, read_bytes: 7, write_bytes: 7 }),
    )
    const { charts, absent } = chartsOf(rows)
    expect(charts.map(({ id }) => id)).toEqual(['memory'])
    const why = new Map(absent.map((one) => [one.id, one.why]))
    expect(why.get('io')).toBe('nothing was fetched from storage or sent to it')
    expect(why.get('cpu')).toMatch(/^(too few samples|not measured)/)
  })

  it('have one for each card, with its memory as a share of what it has', () => {
    const card = (number: number): DeviceSeries => ({
      kind: 'gpu',
      id: `GPU-${number}`,
      columns: [
        'elapsed_seconds',
        'gpu_index',
        'utilization_percent',
        'memory_used_bytes',
        'memory_total_bytes',
      ],
      rows: [Float64Array.of(1, number, 90, 40, 80), Float64Array.of(2, number, 80, 60, 80)],
    })
    const { charts } = chartsOf([], [card(1), card(0)])
    expect(charts.map(({ id }) => id)).toEqual(['gpu_0', 'gpu_1'])
    expect(charts[0]?.series.map(({ name, share_of }) => [name, share_of])).toEqual([
      ['gpu_0_utilization_percent', undefined],
      ['gpu_0_memory_used_bytes', 80],
    ])
  })

  it('tell lowest, mean and highest of all samples, whatever is left of them', () => {
    const rows = Array.from({ length: 5000 }, (_, at) =>
      row({ elapsed_seconds: at, memory_bytes: at === 3333 ? 99 : 10 }),
    )
    const memory = chartsOf(rows, [], 100).charts.find(({ id }) => id === 'memory')
    expect(memory?.times.length).toBeLessThanOrEqual(100)
    expect(memory?.series[0]?.figures).toEqual({
      lowest: 10,
      mean: 10.018,
      highest: 99,
      highest_at_seconds: 3333,
    })
    expect(memory?.series[0]?.values).toContain(99)
  })
})
