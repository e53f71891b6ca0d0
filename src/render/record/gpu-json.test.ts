import { describe, expect, it } from 'vitest'
import { usageOf } from '../../../test/golden/render/crafted-records.ts'
import { cardBasis, type GpuVendor } from '../../model/gpu-usage.ts'
import { atLeast, measured, unmeasured, type Measured } from '../../model/measured.ts'
import type { Usage } from '../../model/usage.ts'
import { cardsJson, gpuStatsJson } from './gpu-json.ts'

const megabyte = 2 ** 20

/** Figures of one card, by the ends of their keys. */
function ofCard(
  vendor: GpuVendor,
  index: number,
  figures: Readonly<Record<string, number>>,
): Record<string, Measured> {
  const named = { vendor, index, name: `Card (of ${vendor})`, id: `id-${index}` }
  return Object.fromEntries(
    Object.entries(figures).map(([key, value]) => [
      `gpu${index}${key}`,
      measured(value, cardBasis(named, 'NVML')),
    ]),
  )
}

const usageWith = (...cards: readonly Record<string, Measured>[]): Usage =>
  Object.assign({}, usageOf({}), ...cards) as Usage

describe('gpu_stats', () => {
  it('is empty for a job without a card', () => {
    const none = { gpuUtilizationPercentMean: unmeasured('no GPU') }
    expect(gpuStatsJson(usageWith(none))).toEqual({})
    expect(cardsJson(usageWith(none))).toEqual([])
  })

  it('has the documented keys for each vendor', () => {
    const figures = {
      UtilizationPercentMean: 80,
      MemoryUtilizationPercentMean: 20,
      MemoryUsedPeakBytes: 100 * megabyte,
      MemoryTotalBytes: 400 * megabyte,
      TemperaturePeakCelsius: 60,
    }
    const hotter = { ...figures, UtilizationPercentMean: 40, TemperaturePeakCelsius: 71 }
    const usage = usageWith(
      ofCard('nvidia', 0, figures),
      ofCard('nvidia', 1, hotter),
      ofCard('amd', 2, figures),
      ofCard('intel', 3, { UtilizationPercentMean: 45.2 }),
    )
    const stats = {
      gpu_utilization_percent: 80,
      memory_utilization_percent: 20,
      memory_used_mb: 100,
      memory_total_mb: 400,
      temperature_celsius: 60,
    }
    expect(gpuStatsJson(usage)).toEqual({
      nvidia: {
        gpu_utilization_percent: 60,
        memory_utilization_percent: 20,
        memory_used_mb: 200,
        memory_total_mb: 800,
        temperature_celsius: 71,
      },
      amd: stats,
      intel: { render_busy_percent: 45.2, available: true },
    })
  })

  it('knows a card that failed by what was seen of it, and leaves out what was not told', () => {
    const named = { vendor: 'nvidia', index: 5, name: 'H200', id: 'GPU-5' } as const
    const basis = `${cardBasis(named, 'NVML')}; the card fell off the bus after 3 s`
    const usage = usageWith({
      gpu5PowerWattsMean: unmeasured('gave no number'),
      gpu5UtilizationPercentMean: atLeast(50, basis),
    })
    expect(cardsJson(usage)).toMatchObject([
      { index: 5, id: 'GPU-5', name: 'H200', utilization_percent_mean: 50, power_watts_mean: null },
    ])
    expect(gpuStatsJson(usage).nvidia).toMatchObject({
      gpu_utilization_percent: 50,
      memory_used_mb: null,
      temperature_celsius: null,
    })
  })
})
