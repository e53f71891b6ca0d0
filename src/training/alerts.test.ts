import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkAlerts } from './alerts.ts'
import { settled } from './options.ts'

const defaults = settled({})

describe('alerts', () => {
  it('are in the documented words, each above or below its threshold', () => {
    const metrics = {
      gpu_0_util: 42.3,
      gpu_0_temp_c: 83,
      memory_percent: 92.1,
      io_wait_pct: 35.25,
    }
    expect(checkAlerts(metrics, defaults)).toEqual([
      '⚠️ GPU underutilized: 42.3% (threshold: 50%)',
      '⚠️ High memory usage: 92.1% (threshold: 90%)',
      '⚠️ I/O bottleneck: 35.3% wait time (threshold: 30%)',
      '⚠️ GPU temperature high: 83°C',
    ])
  })

  it('stay away at the threshold itself, and where nothing was measured', () => {
    const metrics = { gpu_0_util: 50, gpu_0_temp_c: 80, memory_percent: 90, io_wait_pct: 30 }
    expect(checkAlerts(metrics, defaults)).toEqual([])
    expect(checkAlerts({}, settled({ memoryThreshold: 0, ioWaitThreshold: 0 }))).toEqual([])
  })

  it('name the card where there are several', () => {
    const metrics = { gpu_0_util: 90, gpu_1_util: 3, gpu_10_util: 7.04, gpu_1_temp_c: 90 }
    expect(checkAlerts(metrics, defaults)).toEqual([
      '⚠️ GPU 1 underutilized: 3.0% (threshold: 50%)',
      '⚠️ GPU 10 underutilized: 7.0% (threshold: 50%)',
      '⚠️ GPU 1 temperature high: 90°C',
    ])
  })

  it('can be switched off one by one; that of the temperature always stays', () => {
    const metrics = { gpu_0_util: 1, gpu_0_temp_c: 99, memory_percent: 99, io_wait_pct: 99 }
    const off = {
      alertGpuUnderutilization: false,
      alertMemoryPressure: false,
      alertIoBottleneck: false,
    }
    expect(checkAlerts(metrics, settled(off))).toEqual(['⚠️ GPU temperature high: 99°C'])
  })

  it('come at once where thresholds are lowered to try them', () => {
    const low = settled({ gpuUtilThreshold: 0.99, memoryThreshold: 0.01, ioWaitThreshold: 0.07 })
    expect(checkAlerts({ gpu_0_util: 97, memory_percent: 20, io_wait_pct: 7.5 }, low)).toEqual([
      '⚠️ GPU underutilized: 97.0% (threshold: 99%)',
      '⚠️ High memory usage: 20.0% (threshold: 1%)',
      '⚠️ I/O bottleneck: 7.5% wait time (threshold: 7%)',
    ])
  })

  it('tell a threshold as it was given, whatever its binary fraction', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999 }), (thousandths) => {
        const settings = settled({ memoryThreshold: thousandths / 1000 })
        const [alert] = checkAlerts({ memory_percent: 100 }, settings)
        expect(alert).toBe(`⚠️ High memory usage: 100.0% (threshold: ${thousandths / 10}%)`)
      }),
    )
  })
})

describe('settings', () => {
  it.each([
    [{ logInterval: 0 }, 'logInterval must be a whole number of at least 1, not 0'],
    [{ logInterval: 2.5 }, 'logInterval must be'],
    [{ memoryThreshold: 90 }, 'memoryThreshold must be a number from 0 to 1, not 90'],
    [{ gpuUtilThreshold: NaN }, 'gpuUtilThreshold must be'],
    [{ timeseriesPath: '' }, 'timeseriesPath must be a path, not ""'],
    [{ enabled: 'yes' as unknown as boolean }, 'enabled must be true or false, not "yes"'],
  ])('refuse %j', (given, message) => {
    expect(() => settled(given)).toThrow(message)
  })
})
