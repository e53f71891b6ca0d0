import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleWidth } from '../../../test/synthetic/sample-width.ts'
import { sampleIndex, type SampleColumn, type SampleRow } from '../../model/sample.ts'
import { deriveSeries } from './rates.ts'

function row(values: Partial<Record<SampleColumn, number>>): SampleRow {
  const made = new Float64Array(sampleWidth).fill(Number.NaN)
  for (const [name, value] of Object.entries(values)) {
    made[sampleIndex[name as SampleColumn]] = value
  }
  return made
}

const cpu = (elapsed: number, user: number, system: number) =>
  row({ elapsed_seconds: elapsed, cpu_user_seconds: user, cpu_system_seconds: system })

describe('deriveSeries', () => {
  it('turns counters into rates over the time since the sample before', () => {
    const series = deriveSeries(
      [
        row({ elapsed_seconds: 1, cpu_user_seconds: 0, cpu_system_seconds: 0, read_bytes: 100 }),
        row({ elapsed_seconds: 3, cpu_user_seconds: 5, cpu_system_seconds: 1, read_bytes: 1100 }),
      ],
      4,
    )
    expect(series[1]).toMatchObject({ cpuPercent: 300, readBytesPerSecond: 500 })
  })

  it('has no rate for the first sample and keeps its gauges', () => {
    const [first] = deriveSeries([row({ elapsed_seconds: 1, memory_bytes: 7, num_threads: 2 })], 1)
    expect(first).toMatchObject({ cpuPercent: null, memoryBytes: 7, threads: 2, processes: null })
  })

  it('answers null for a counter that went back, and goes on after it', () => {
    const series = deriveSeries([cpu(1, 5, 0), cpu(2, 1, 0), cpu(3, 2, 0)], 4)
    expect(series.map((point) => point.cpuPercent)).toEqual([null, null, 100])
  })

  it.each([
    ['stands still', 1],
    ['steps back', 0.5],
  ])('answers null where the clock %s', (_, elapsed) => {
    expect(deriveSeries([cpu(1, 0, 0), cpu(elapsed, 1, 0)], 4)[1]?.cpuPercent).toBeNull()
  })

  it('does not show more CPU than the machine has', () => {
    const series = deriveSeries([cpu(1, 0, 0), cpu(1.005, 0.01, 0)], 1)
    expect(series[1]?.cpuPercent).toBe(100)
  })

  it('shows the machine as a share of all its cores', () => {
    const series = deriveSeries(
      [
        row({ elapsed_seconds: 0, machine_cpu_seconds: 10 }),
        row({ elapsed_seconds: 2, machine_cpu_seconds: 14 }),
      ],
      4,
    )
    expect(series[1]?.machineCpuPercent).toBe(50)
  })

  it('gives the rate since a counter was last read, however many samples lie between', () => {
    const series = deriveSeries(
      [
        row({ elapsed_seconds: 0, read_bytes: 100 }),
        row({ elapsed_seconds: 0.5 }),
        row({ elapsed_seconds: 1, read_bytes: 300 }),
        row({ elapsed_seconds: 1.5 }),
        row({ elapsed_seconds: 2, read_bytes: 300 }),
      ],
      1,
    )
    expect(series.map((point) => point.readBytesPerSecond)).toEqual([null, null, 200, null, 0])
  })

  it('gives rates that add up to what each counter grew by, whichever samples have it', () => {
    const step = fc.record({
      seconds: fc.integer({ min: 1, max: 5000 }),
      grown: fc.integer({ min: 0, max: 1e9 }),
      isRead: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        let [elapsed, count] = [0, 0]
        const rows = steps.map(({ seconds, grown, isRead }) => {
          elapsed += seconds / 1000
          count += grown
          const read = { write_bytes: count, machine_net_sent_bytes: count }
          return row({ elapsed_seconds: elapsed, ...(isRead ? read : {}) })
        })
        const readAt = rows.flatMap((one) => {
          const bytes = one[sampleIndex.write_bytes] ?? Number.NaN
          return Number.isNaN(bytes) ? [] : [bytes]
        })
        const growth = (readAt.at(-1) ?? 0) - (readAt[0] ?? 0)
        for (const key of ['writeBytesPerSecond', 'machineNetSentBytesPerSecond'] as const) {
          const points = deriveSeries(rows, 4)
          const known = points.filter((_, index) => steps[index]?.isRead === true)
          const between = points.filter((_, index) => steps[index]?.isRead !== true)
          expect(between.every((point) => point[key] === null)).toBe(true)
          const sum = known.slice(1).reduce((all, point, index) => {
            const seconds = (point.elapsedSeconds ?? 0) - (known[index]?.elapsedSeconds ?? 0)
            return all + (point[key] ?? Number.NaN) * seconds
          }, 0)
          expect(Math.abs(sum - growth)).toBeLessThanOrEqual(1e-9 * growth)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('never throws, and shows nothing negative or infinite, whatever the rows hold', () => {
    const anyRow = fc
      .array(fc.oneof(fc.double(), fc.double({ min: 0, max: 100 })), { maxLength: sampleWidth })
      .map((values) => Float64Array.from(values))
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 6 }), fc.double(), (rows, cores) => {
        const series = deriveSeries(rows, cores)
        expect(series).toHaveLength(rows.length)
        for (const figure of series.flatMap((point) => Object.values(point) as (number | null)[])) {
          expect(figure === null || (Number.isFinite(figure) && figure >= 0)).toBe(true)
        }
      }),
    )
  })
})
