import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyUsage, type Usage } from '../../model/usage.ts'
import { containerStatsJson } from './container-json.ts'

const measured = (figures: Readonly<Record<string, number>>): Usage => ({
  ...emptyUsage('not measured'),
  ...Object.fromEntries(
    Object.entries(figures).map(([key, value]) => [key, { value, basis: 'test' }]),
  ),
})

describe('containerStatsJson', () => {
  it('writes the documented strings', () => {
    const usage = measured({
      containerRunSeconds: 10,
      containerCpuPercentMean: 45.234,
      containerMemoryPeakBytes: 2.5 * 2 ** 30,
      containerMemoryLimitBytes: 16 * 2 ** 30,
      containerNetReceivedBytes: 1_200_000,
      containerNetSentBytes: 850_000,
      containerBlockReadBytes: 128_000_000,
      containerBlockWriteBytes: 64_000_000,
    })
    expect(containerStatsJson(usage, null)).toEqual({
      cpu_percent: '45.23',
      memory_usage: '2.5GiB / 16GiB',
      memory_percent: '15.63',
      net_io: '1.2MB / 850KB',
      block_io: '128MB / 64MB',
    })
  })

  it('has null for what was not measured, and nothing for a job without a container', () => {
    expect(containerStatsJson(measured({ containerRunSeconds: 1 }), 2 ** 30)).toEqual({
      cpu_percent: null,
      memory_usage: null,
      memory_percent: null,
      net_io: null,
      block_io: null,
    })
    expect(containerStatsJson(measured({}), 2 ** 30)).toEqual({})
  })

  it('keeps every size to its digits', () => {
    const steps = { B: 0, K: 1, M: 2, G: 3, T: 4, P: 5 } as const
    const back = (text: string, base: number): number =>
      Number.parseFloat(text) *
      base ** steps[text.replaceAll(/[\d.]/g, '').charAt(0) as keyof typeof steps]
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 50 }), (bytes) => {
        const stats = containerStatsJson(
          measured({
            containerRunSeconds: 1,
            containerMemoryPeakBytes: bytes,
            containerMemoryLimitBytes: 1,
            containerBlockReadBytes: bytes,
            containerBlockWriteBytes: 0,
          }),
          null,
        )
        const held = back(stats.memory_usage ?? '', 1024)
        const moved = back(stats.block_io ?? '', 1000)
        expect(Math.abs(held - bytes)).toBeLessThanOrEqual(bytes * 0.0005)
        expect(Math.abs(moved - bytes)).toBeLessThanOrEqual(bytes * 0.005)
      }),
    )
  })
})
