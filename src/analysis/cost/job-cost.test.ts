import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cardBasis, energyIsOfPackage } from '../../model/gpu-usage.ts'
import { poisson, usageOf } from '../../../test/golden/render/crafted-records.ts'
import { atLeast, measured, unmeasured, type Measured } from '../../model/measured.ts'
import type { Prices } from '../../model/prices.ts'
import type { JobRecord } from '../../model/record.ts'
import type { UsageKey } from '../../model/usage.ts'
import { costReport } from './cost-report.ts'
import { jobCost } from './job-cost.ts'

const noPrices: Prices = {
  currency: 'EUR',
  coreHour: null,
  memoryGbHour: null,
  gpuHour: {},
  kwh: null,
  storageGbMonth: null,
  carbonGramsPerKwh: null,
  wattsPerCore: null,
}

/** An hour's job that asked for 4 cores and 8 GB. */
function job(
  figures: Partial<Record<UsageKey, number>>,
  further: Readonly<Record<string, Measured>> = {},
  asked: Partial<JobRecord['requirements']> = {},
): JobRecord {
  const requirements = {
    cpus: 4,
    memoryBytes: 8 * 2 ** 30,
    gpus: null,
    runtimeSeconds: null,
    ...asked,
  }
  return {
    ...poisson,
    durationSeconds: 3600,
    requirements,
    usage: { ...usageOf(figures), ...further },
  }
}

const used = { cpuTotalSeconds: 7200, memoryMeanBytes: 2 * 2 ** 30, writeBytes: 10 * 2 ** 30 }

describe('the cost of a job', () => {
  it('is that of what it asked for, and that of what it used', () => {
    const prices = { ...noPrices, coreHour: 0.1, memoryGbHour: 0.01, storageGbMonth: 0.02 }
    const cost = jobCost(job(used), prices)
    expect(cost.requested.total).toBeCloseTo(4 * 0.1 + 8 * 0.01, 12)
    expect(cost.used.total).toBeCloseTo(2 * 0.1 + 2 * 0.01 + 10 * 0.02, 12)
    expect(cost.used.isLowerBound).toBe(false)
  })

  it('names the CPU time as what is missing where energy would be modelled by it', () => {
    const { used: side } = jobCost(job({}), { ...noPrices, kwh: 0.3, wattsPerCore: 10 })
    expect(side.parts.find(({ thing }) => thing === 'energy')).toMatchObject({
      cost: null,
      why: 'its CPU time, by which it would be modelled, was not measured',
    })
  })

  it('names what could not be priced, and does not count it as 0', () => {
    const prices = { ...noPrices, coreHour: 0.1, memoryGbHour: 0.01, kwh: 0.3 }
    const { requested, used: side } = jobCost(
      job({ cpuTotalSeconds: 3600 }, {}, { memoryBytes: null }),
      prices,
    )
    expect(requested.parts[1]).toMatchObject({ cost: null, why: 'it did not ask for memory' })
    expect(requested.total).toBeCloseTo(0.4, 12)
    expect(side.total).toBeCloseTo(0.1, 12)
    expect(side.isLowerBound).toBe(true)
    expect(side.parts.filter(({ cost }) => cost === null).map(({ thing }) => thing)).toEqual([
      'memory',
      'energy',
    ])
  })

  it('is not known where nothing could be priced', () => {
    expect(jobCost(job({}), { ...noPrices, kwh: 0.3 }).used.total).toBeNull()
    expect(jobCost(job(used), noPrices).used).toEqual({
      parts: [],
      total: null,
      isLowerBound: false,
    })
  })

  it('leaves out GPUs that nobody asked for, and names those without a price', () => {
    const prices = { ...noPrices, gpuHour: { H200: 3.5 } }
    expect(jobCost(job(used), prices).requested.parts).toEqual([])
    const { requested, used: side } = jobCost(job(used, {}, { gpus: 2 }), prices)
    expect(requested.parts[0]?.why).toContain('nor a "default"')
    expect(side.parts[0]).toMatchObject({ thing: 'gpu', cost: null })
  })

  it('prices GPUs by the hours in which they were busy', () => {
    const prices = { ...noPrices, gpuHour: { default: 2, h200: 5 } }
    const further = { gpuBusySeconds: atLeast(1800, 'looks added up') }
    const cost = jobCost(job({}, further, { gpus: 1 }), prices)
    expect(cost.requested.total).toBe(2)
    expect(cost.used).toMatchObject({ total: 1, isLowerBound: true })
  })

  it('prices GPUs by their model, and cards of several models by the default', () => {
    const prices = { ...noPrices, gpuHour: { default: 2, h200: 5, T4: 1 } }
    const card = (index: number, name: string) => ({
      [`gpu${index}BusySeconds`]: measured(
        3600,
        cardBasis({ vendor: 'nvidia', index, name, id: `GPU-${index}` }, 'NVML'),
      ),
    })
    const busy = { gpuBusySeconds: measured(3600, 'NVML') }
    const costOf = (further: Readonly<Record<string, Measured>>) =>
      jobCost(job({}, { ...busy, ...further }, { gpus: 1 }), prices).used.total
    expect(costOf(card(0, 'NVIDIA H200'))).toBe(5)
    expect(costOf({ ...card(0, 'NVIDIA H200'), ...card(1, 'Tesla T4') })).toBe(2)
  })
})

describe('the energy of a job', () => {
  it('is a lower bound where GPUs are left out, with the reason', () => {
    const cards = {
      energyJoules: measured(1000, 'RAPL'),
      gpuEnergyJoules: unmeasured('the card was shared'),
    }
    expect(jobCost(job({}, cards), noPrices).energy).toMatchObject({
      joules: 1000,
      basis: 'RAPL; GPUs not included: the card was shared',
      isLowerBound: true,
    })
    const neither = {
      energyJoules: unmeasured('no counters'),
      gpuEnergyJoules: unmeasured('shared'),
    }
    expect(jobCost(job({}, neither), noPrices).energy).toMatchObject({
      joules: null,
      basis: 'no counters; GPUs not included: shared',
      isLowerBound: false,
    })
  })

  const prices = { ...noPrices, kwh: 0.5, carbonGramsPerKwh: 400 }
  const counters = {
    energyJoules: measured(3.6e6, 'RAPL'),
    gpuEnergyJoules: measured(7.2e6, 'NVML'),
  }

  it('is that of the CPUs and of the GPUs, with its price and its CO2', () => {
    const { energy, used: side } = jobCost(job({}, counters), prices)
    expect(energy).toEqual({
      joules: 10.8e6,
      basis: 'RAPL; GPUs: NVML',
      isModel: false,
      isLowerBound: false,
      carbonGrams: 1200,
    })
    expect(side.total).toBeCloseTo(1.5, 12)
  })

  it('has the energy of a GPU in the CPU package once', () => {
    const inPackage = {
      gpuEnergyJoules: unmeasured(energyIsOfPackage),
      gpuPackageEnergyJoules: measured(5e6, 'amdgpu in sysfs'),
    }
    const counted = { energyJoules: measured(3.6e6, 'RAPL'), ...inPackage }
    expect(jobCost(job({}, counted), prices).energy).toMatchObject({
      joules: 3.6e6,
      basis: 'RAPL; GPU in the CPU package: not added, for these counters have it',
      isLowerBound: false,
    })
  })

  it('is not that of the whole CPU package, of which its GPU tells the power', () => {
    const inPackage = {
      gpuEnergyJoules: unmeasured(energyIsOfPackage),
      gpuPackageEnergyJoules: measured(5e6, 'amdgpu in sysfs'),
    }
    const left =
      'GPU in the CPU package: not included, for it tells the power of the whole package, whoever uses it'
    expect(jobCost(job(used, inPackage), prices).energy).toEqual({
      joules: null,
      basis: `no energy counter was read; --metrics energy says why; ${left}`,
      isModel: false,
      isLowerBound: false,
      carbonGrams: null,
    })
    const modelled = { ...prices, wattsPerCore: 10 }
    expect(jobCost(job(used, inPackage), modelled).energy).toMatchObject({
      joules: 72_000,
      basis: `model, not a measurement: 10 W for each busy core (watts_per_core); ${left}`,
      isModel: true,
      isLowerBound: true,
    })
  })

  it('is a lower bound where that of GPUs is not known', () => {
    const untold = { ...counters, gpuEnergyJoules: unmeasured('the card was shared') }
    expect(jobCost(job({}, untold), prices).energy).toMatchObject({
      joules: 3.6e6,
      basis: 'RAPL; GPUs not included: the card was shared',
      isLowerBound: true,
    })
  })

  it('comes from the model only where there is no counter, and says so', () => {
    const modelled = { ...prices, wattsPerCore: 10 }
    expect(jobCost(job(used, counters), modelled).energy.isModel).toBe(false)
    const { energy } = jobCost(job(used, { energyJoules: unmeasured('no counters') }), modelled)
    expect(energy).toMatchObject({ joules: 72_000, isModel: true })
    expect(energy.basis).toMatch(/^model, not a measurement: 10 W/)
  })

  it('is absent, with the reason, where there is neither', () => {
    const { energy } = jobCost(job(used, { energyJoules: unmeasured('no counters') }), prices)
    expect(energy).toMatchObject({ joules: null, basis: 'no counters', carbonGrams: null })
    expect(jobCost(job(used), prices).energy.basis).toBe(
      'no energy counter was read; --metrics energy says why',
    )
  })
})

describe('the cost of a workflow', () => {
  it('is the sum of its attempts, whatever they are', () => {
    const prices = { ...noPrices, coreHour: 1, memoryGbHour: 0.5 }
    const attempt = fc.record({
      cpu: fc.double({ min: 0, max: 1e6, noNaN: true }),
      cpus: fc.option(fc.integer({ min: 1, max: 64 })),
    })
    fc.assert(
      fc.property(fc.array(attempt, { maxLength: 20 }), (attempts) => {
        const jobs = attempts.map(({ cpu, cpus }) =>
          job({ cpuTotalSeconds: cpu, memoryMeanBytes: 2 ** 30 }, {}, { cpus }),
        )
        const report = costReport(jobs, prices)
        const sum = attempts.reduce((total, { cpu }) => total + cpu / 3600 + 0.5, 0)
        expect(report.used.total ?? 0).toBeCloseTo(sum, 6)
        expect(report.used.total === null).toBe(attempts.length === 0)
        const unasked = attempts.filter(({ cpus }) => cpus === null).length
        expect(report.unpriced.find(({ thing }) => thing === 'cpu')?.jobs ?? 0).toBe(unasked)
      }),
    )
  })
})
