import { describe, expect, it } from 'vitest'
import { jobReport } from '../../src/analysis/job/job-report.ts'
import type { Measured } from '../../src/model/measured.ts'
import { noRequirements } from '../../src/model/job.ts'
import type { JobRecord } from '../../src/model/record.ts'
import { poisson, usageOf } from '../golden/render/crafted-records.ts'
import { h200, loadCalled, replayed, type Load } from './replay.ts'

/** The record of a job by what was measured of it then, with the figures of its cards as they are worked out now. */
function recordOf(load: Load): JobRecord {
  const usage = {
    ...usageOf({
      cpuTotalSeconds: load.cpu_total_seconds,
      ioPressureSeconds: load.io_pressure_seconds,
      cpuPressureSeconds: load.cpu_pressure_seconds,
    }),
    ...replayed(load),
  }
  return {
    ...poisson,
    requirements: noRequirements,
    durationSeconds: load.duration_seconds,
    machine: { ...poisson.machine, cores: 16 },
    usage,
  }
}

const reportOn = (name: string) => jobReport(recordOf(loadCalled(name)), [])

function figure(load: Load, key: string): number {
  const value = replayed(load)[key]?.value
  if (value === undefined || value === null) throw new Error(`${key} was not measured`)
  return value
}

describe('what was seen on an H200', () => {
  it.each([
    [
      'matrix_product',
      'gpu-tensor',
      'GPU bound by its tensor units: in use 83 % of the 6.5 s that the job held it (its memory bandwidth 16 %, its arithmetic units 1 %); the card worked 85 %. Its power limit held its clock at 77 %.',
    ],
    [
      'matrix_product beside idle_holder',
      'gpu-tensor',
      'GPU bound by its tensor units: in use 85 % of the 6.5 s that the job held it (its memory bandwidth 16 %, its arithmetic units 1 %); the card worked 93 %. Its power limit held its clock at 77 %.',
    ],
    [
      'stream',
      'gpu-memory',
      'GPU bound by its memory bandwidth: in use 79 % of the 7.1 s that the job held it (its tensor units 0 %, its arithmetic units 4 %); the card worked 85 %.',
    ],
    [
      'tiny_kernels',
      'gpu-launches',
      'GPU bound by kernel launches: a kernel ran 28 % of the 6.5 s that the job held it, but less than 1 % of its multiprocessors had work. Many kernels are too small for the card.',
    ],
    [
      'slow_loader',
      'gpu-data-loading',
      'GPU waits for data: it worked 7 % of the 11 s that the job held it, while the job kept 1.0 cores busy.',
    ],
    [
      'idle_holder',
      'gpu-idle',
      'GPU idle: held, but at work less than 1 % of the 6.5 s that the job held it; the job kept under 0.1 cores busy.',
    ],
    [
      'idle_holder beside matrix_product',
      'gpu-idle',
      'GPU idle: held, but at work for this job less than 1 % of the 7.1 s that the job held it; the job kept 0.1 cores busy.',
    ],
  ])('is judged by what it is: %s', (name, kind, sentence) => {
    expect(reportOn(name).verdict).toEqual({ kind, sentence })
  })

  // Of 6.02 s the driver gives the idle holder 0.045 s: all at the first look, when that filled its memory.
  it('is judged by all that the card did while the job held it, for whomever', () => {
    const load = loadCalled('matrix_product beside idle_holder')
    const [at, used, own] = ['elapsed_seconds', 'utilization_percent', 'own_processes'].map(
      (name) => h200.look_columns.indexOf(name),
    ) as [number, number, number]
    const held = load.looks.flatMap((look, nth) => {
      const seconds = (look[at] ?? NaN) - (load.looks[nth - 1]?.[at] ?? 0)
      return look[own] === 1 ? [{ seconds, percent: look[used] ?? NaN }] : []
    })
    const seconds = held.reduce((sum, look) => sum + look.seconds, 0)
    const worked = held.reduce((sum, look) => sum + look.percent * look.seconds, 0) / seconds
    expect(worked).toBeCloseTo(92.54, 2)
    expect(figure(load, 'gpuHeldUtilizationPercentMean')).toBeCloseTo(worked, 6)
    expect((100 * figure(load, 'gpuBusySeconds')) / seconds).toBeCloseTo(91.85, 2)
  })

  it('leads to advice where there is something to do', () => {
    expect(reportOn('slow_loader').advice).toContainEqual({ about: 'gpu-feeding', figures: {} })
    expect(reportOn('tiny_kernels').advice).toContainEqual({ about: 'small-kernels', figures: {} })
  })
})

const alone = h200.loads.filter(({ load }) => !load.includes('beside'))

describe('figures of the record of that day which were right', () => {
  it.each(h200.loads)('come out of its looks again: memory of $load', (load) => {
    expect(figure(load, 'gpuMemoryPeakBytes')).toBe(load.recorded['gpu_memory_peak_bytes'])
  })

  it.each(alone)('come out of its looks again: work of $load', (load) => {
    const { recorded } = load
    expect(figure(load, 'gpuUtilizationPercentPeak')).toBe(recorded['gpu_utilization_percent_peak'])
    expect(figure(load, 'gpuBusySeconds')).toBeCloseTo(recorded['gpu_busy_seconds'] ?? NaN, 1)
  })
})

describe('two jobs on one card', () => {
  it('have all of its work between them, and who only holds it has next to none', () => {
    const busy = loadCalled('matrix_product beside idle_holder')
    const idle = loadCalled('idle_holder beside matrix_product')
    const told = (load: Load): number => figure(load, 'gpuUtilizationPercentMean')
    expect(told(idle)).toBeLessThan(1)
    expect(told(busy)).toBeLessThanOrEqual(figure(busy, 'gpu0UtilizationPercentMean'))
    expect(told(busy)).toBeGreaterThan(0.93 * figure(busy, 'gpu0UtilizationPercentMean'))
  })
})

describe('figures against nvidia-smi, which ran beside', () => {
  it.each(h200.loads)('agree for the card under $load', (load) => {
    const { nvidia_smi: smi } = load
    const off = (key: string, told: number): number => Math.abs(figure(load, key) - told)
    // Looks were half a second apart and nvidia-smi's a fifth: work of 6 s begins and ends between two of them.
    const mostPoints = 5
    expect(off('gpu0UtilizationPercentMean', smi.utilization_percent_mean)).toBeLessThan(mostPoints)
    expect(off('gpu0UtilizationPercentPeak', smi.utilization_percent_peak)).toBeLessThanOrEqual(1)
    // It tells whole mebibytes.
    expect(off('gpu0MemoryUsedPeakBytes', smi.memory_used_peak_bytes)).toBeLessThan(2 ** 20)
    expect(off('gpu0TemperaturePeakCelsius', smi.temperature_peak_celsius)).toBeLessThanOrEqual(1)
    // The driver's power is a mean over the last second: at the end of a load it lags behind the counter.
    const mostShare = 0.03
    const joules = smi.power_watts_mean * load.duration_seconds
    expect(off('gpu0PowerWattsMean', smi.power_watts_mean) / smi.power_watts_mean).toBeLessThan(
      mostShare,
    )
    expect(off('gpu0EnergyJoules', joules) / joules).toBeLessThan(mostShare)
  })

  it.each(alone)('are the job’s own where it is alone on the card: $load', (load) => {
    const figures = replayed(load)
    const { gpu0EnergyJoules, gpu0PowerWattsMean, gpu0UtilizationPercentPeak } = figures
    expect(figures['gpuEnergyJoules']?.value).toBe(gpu0EnergyJoules?.value)
    expect(figures['gpuPowerWattsMean']?.value).toBe(gpu0PowerWattsMean?.value)
    expect(figures['gpuUtilizationPercentPeak']?.value).toBe(gpu0UtilizationPercentPeak?.value)
  })
})

describe('two jobs on one card', () => {
  const busy = loadCalled('matrix_product beside idle_holder')
  const idle = loadCalled('idle_holder beside matrix_product')

  it('divide its energy by what each did', () => {
    const [mostly, hardly] = [figure(busy, 'gpuEnergyJoules'), figure(idle, 'gpuEnergyJoules')]
    const whole = figure(idle, 'gpu0EnergyJoules')
    expect(mostly / whole).toBeGreaterThan(0.8)
    expect(mostly + hardly).toBeLessThan(whole)
    // Half of 80 W for 7 s; and the power that the driver still tells of when the other one has ended.
    expect(hardly).toBeGreaterThan(250)
    expect(hardly).toBeLessThan(800)
    expect(basisOf(replayed(idle)['gpuEnergyJoules'])).toBe(
      'NVML, of a shared card its part while it held it: what work took by the shares of work, idle draw by processes',
    )
    expect(figure(idle, 'gpuPowerWattsMean')).toBeCloseTo(hardly / idle.duration_seconds)
  })

  it('are told of units, clock and throttling only where nearly all of the work was theirs', () => {
    const wholeCard = [
      'gpuTensorPercentMean',
      'gpuSmActivePercentMean',
      'gpuPcieBytesPerSecondMean',
      'gpuClockPercentMean',
      'gpuPowerThrottledSeconds',
      'gpuHeatThrottledSeconds',
    ]
    for (const key of wholeCard) {
      expect(basisOf(replayed(busy)[key])).toMatch(/, whole card: others used it too$/)
      expect(replayed(idle)[key]).toEqual({
        value: null,
        why: 'the card was shared, and less than four fifths of the work was for this job',
      })
    }
  })
})

const basisOf = (told: Measured | undefined): string | undefined =>
  told === undefined || told.value === null ? undefined : told.basis
