import { describe, expect, it } from 'vitest'
import { LiveMeter } from '../../src/profile/live-meter.ts'
import { profileOf, profileSections } from '../../src/profile/resource-profile.ts'
import { backgroundSystem } from '../../src/system/background-system.ts'
import { standInForEach } from '../nvml/stand-in-for-each.ts'
import { card, standInMissing } from '../nvml/stand-in.ts'

const tell = standInForEach()

const gibibyte = 2 ** 30

describe.skipIf(standInMissing)('the GPUs of the machine', () => {
  it('are in every sample, all of them, whoever uses them', async () => {
    tell(
      card(0, { util: 87, used: 35 * gibibyte, temp: 72, power: 180_500 }),
      card(1, { temp: 31 }),
    )
    const meter = new LiveMeter(backgroundSystem(), { intervalSeconds: Infinity, metrics: ['gpu'] })
    expect(meter.look().unavailable['gpu']).toBe('the GPUs are still being opened')
    await meter.ready()
    const { metrics, unavailable } = meter.look()
    expect(metrics).toEqual({
      gpu_0_util: 87,
      gpu_0_memory_used_mb: 35 * 1024,
      gpu_0_memory_total_mb: 140 * 1024,
      gpu_0_memory_pct: 25,
      gpu_0_temp_c: 72,
      gpu_0_power_w: 180.5,
      gpu_1_util: 0,
      gpu_1_memory_used_mb: 1024,
      gpu_1_memory_total_mb: 140 * 1024,
      gpu_1_memory_pct: 100 / 140,
      gpu_1_temp_c: 31,
      gpu_1_power_w: 75,
    })
    expect(unavailable).toEqual({})
    meter.stop()
  })

  it('are there by name where only one figure was asked for', async () => {
    tell(card(0, { util: 12 }))
    const meter = new LiveMeter(backgroundSystem(), {
      intervalSeconds: Infinity,
      metrics: ['gpu_0_util'],
    })
    await meter.ready()
    expect(meter.look().metrics).toEqual({ gpu_0_util: 12 })
    meter.stop()
    expect(meter.look().unavailable).toEqual({ gpu: 'the meter was stopped' })
  })

  it('have a part in a profile, as documented', async () => {
    tell(card(0, { util: 60, memutil: 40, used: 10 * gibibyte, temp: 68 }))
    const meter = new LiveMeter(backgroundSystem(), { intervalSeconds: 0.1 })
    await meter.ready()
    const timer = setInterval(() => {}, 1000)
    for await (const { elapsedSeconds } of meter) if (elapsedSeconds > 0.8) break
    clearInterval(timer)
    const profile = profileOf(meter.stop(), profileSections)
    expect(profile.gpu_stats).toEqual({
      nvidia: {
        gpu_utilization_percent: 60,
        memory_utilization_percent: 40,
        memory_used_mb: 10 * 1024,
        memory_total_mb: 140 * 1024,
        temperature_celsius: 68,
      },
    })
    expect(profile.unavailable).toEqual({ container_stats: 'no container was named' })
  })
})
