import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { JobGpus } from '../../src/meter/gauges/gpu/job-gpus.ts'
import { WatchedCards } from '../../src/meter/gauges/gpu/watched-cards.ts'
import { JobDevices } from '../../src/meter/job-devices.ts'
import { NvmlCards } from '../../src/sensors/gpu/nvml-cards.ts'
import { openNvml } from '../../src/system/nvml.ts'
import { realSystem } from '../../src/system/real.ts'
import type { System } from '../../src/system/system.ts'
import { card, processOn, setState, standIn, standInMissing } from '../nvml/stand-in.ts'

const ownPid = 100
const otherPid = 200
const real = realSystem({ ownsProcess: false })

let folder = ''
let state = ''
let now = 0
let asked = 0
let opened: WatchedCards | undefined

const system: System = {
  ...real,
  clock: { ...real.clock, monotonicSeconds: () => now },
  nvml: {
    isLikely: () => true,
    async open() {
      const nvml = await openNvml(standIn)
      if (nvml.kind !== 'ok') return nvml
      const { nvmlDeviceGetProcessUtilization: ask } = nvml.value
      const counted: typeof ask = (...args) => {
        asked += 1
        return ask(...args)
      }
      return { kind: 'ok', value: { ...nvml.value, nvmlDeviceGetProcessUtilization: counted } }
    },
  },
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-shares-'))
  state = join(folder, 'state')
  process.env['JOBMETER_NVML_STATE'] = state
  now = 0
  asked = 0
})
afterEach(() => {
  opened?.close()
  delete process.env['JOBMETER_NVML_STATE']
  rmSync(folder, { recursive: true })
})

async function openCards(): Promise<WatchedCards> {
  const cards = await NvmlCards.open(system)
  if (cards.kind !== 'ok') throw new Error(JSON.stringify(cards))
  opened = new WatchedCards(system, [cards.value])
  return opened
}

async function follow(environment = ''): Promise<JobGpus> {
  return jobOn(await openCards(), environment)
}

function jobOn(cards: WatchedCards, environment = ''): JobGpus {
  const members = {
    byPid: new Map([[ownPid, { startTicks: 0, userTicks: 0, systemTicks: 0, minorFaults: 0 }]]),
    totals: () => ({ userTicks: 0, systemTicks: 0 }),
  }
  const devices = new JobDevices(0, () => {})
  return new JobGpus({ system, members, devices }, cards, environment)
}

function lookFor(job: JobGpus, seconds: number): void {
  for (const end = now + seconds; now < end;) {
    now += 0.5
    job.look(now, 'row')
  }
}

const own = processOn(0, { pid: ownPid, memory: 3_000_000, sm: 60 })
const other = processOn(0, { pid: otherPid, memory: 3_000_000, sm: 30 })

describe.skipIf(standInMissing)('a card that does not tell its processes', () => {
  it.each([3, 4, 999])('makes no 0 of what nobody told: answer %i', async (refuses) => {
    setState(state, [card(0, { util: 50, refuses }), own])
    const job = await follow()
    lookFor(job, 3)
    const figures = job.figures(now)
    for (const key of ['gpuMemoryPeakBytes', 'gpu0OwnMemoryPeakBytes', 'gpuPowerThrottledSeconds'])
      expect(figures[key]?.value ?? null, key).toBeNull()
  })
})

describe.skipIf(standInMissing)('the shares of processes, which take 2 ms to ask for', () => {
  it('are not asked for where all processes on a card are of one job', async () => {
    setState(state, [card(0, { util: 80 }), own])
    const job = await follow()
    lookFor(job, 10)
    expect(asked).toBe(0)
    expect(job.figures(now)['gpuUtilizationPercentMean']?.value).toBeCloseTo(80)
  })

  it('are asked for every two seconds where they are not, and stand meanwhile', async () => {
    setState(state, [card(0, { util: 90, stamp: 1_000_000 }), own, other])
    const job = await follow()
    lookFor(job, 2)
    expect(asked).toBe(1)
    setState(state, [card(0, { util: 90, stamp: 3_000_000 }), own, other])
    lookFor(job, 2)
    expect(asked).toBe(2)
    expect(job.figures(now)['gpuUtilizationPercentMean']?.value).toBeCloseTo(60)
  })

  it('are scaled with the use of the card, and asked for again when work begins', async () => {
    const still = [ownPid, otherPid].map((pid) => processOn(0, { pid, memory: 3_000_000, sm: 0 }))
    setState(state, [card(0, { util: 0, stamp: 1_000_000 }), ...still])
    const job = await follow()
    lookFor(job, 1)
    setState(state, [card(0, { util: 45, stamp: 2_000_000 }), own, other])
    lookFor(job, 1)
    const before = job.figures(now)['gpuBusySeconds']?.value ?? 0
    expect(before).toBeGreaterThan(0.2)
    setState(state, [card(0, { util: 90, stamp: 2_000_000 }), own, other])
    const later = jobOn(await openCards())
    lookFor(later, 2)
    expect(later.figures(now)['gpuUtilizationPercentPeak']?.value).toBeCloseTo(60)
  })

  it('are asked for at once when a second one comes, and no longer when it is gone', async () => {
    setState(state, [card(0, { util: 90, stamp: 1_000_000 }), own])
    const job = await follow()
    lookFor(job, 3)
    setState(state, [card(0, { util: 90, stamp: 2_000_000 }), own, other])
    lookFor(job, 0.5)
    expect(asked).toBe(1)
    setState(state, [card(0, { util: 90, stamp: 3_000_000 }), own])
    lookFor(job, 6)
    expect(asked).toBe(1)
    expect(job.figures(now)['gpuBusySeconds']?.value).toBeCloseTo(9 * 0.9 + 0.5 * 0.6)
  })

  it('leave energy untold where the driver has none', async () => {
    const instance = 'instance 0 uuid=MIG-a name=H200_1g gi=3 used=1 total=10 util=50 power=90000'
    const inside = [ownPid, otherPid].map((pid) => processOn(0, { pid, memory: 1, gi: 3 }))
    setState(state, [card(0, { mig: 1 }), instance, ...inside])
    const job = await follow()
    lookFor(job, 2)
    expect(job.figures(now)['gpuEnergyJoules']).toEqual({
      value: null,
      why: 'the card was shared, and its driver does not tell the shares of work',
    })
  })

  it('leave the work of a job untold where the driver has none', async () => {
    const instance = 'instance 0 uuid=MIG-a name=H200_1g gi=3 used=1 total=10 util=50 power=90000'
    const inside = [ownPid, otherPid].map((pid) => processOn(0, { pid, memory: 1, gi: 3 }))
    setState(state, [card(0, { mig: 1 }), instance, ...inside])
    const job = await follow()
    lookFor(job, 2)
    const figures = job.figures(now)
    const why = 'the card was shared, and its driver does not tell the shares of work'
    for (const key of ['UtilizationPercentMean', 'UtilizationPercentPeak', 'BusySeconds'])
      expect(figures[`gpu${key}`], key).toEqual({ value: null, why })
    expect(figures['gpu1BusySeconds']).toEqual({ value: null, why })
  })

  it('make the work of a job a lower bound where they were not told all the time', async () => {
    const instance = 'instance 0 uuid=MIG-a name=H200_1g gi=3 used=1 total=10 util=50 power=90000'
    const [ours = '', theirs = ''] = [ownPid, otherPid].map((pid) =>
      processOn(0, { pid, memory: 1, gi: 3 }),
    )
    setState(state, [card(0, { mig: 1 }), instance, ours])
    const job = await follow()
    lookFor(job, 2)
    setState(state, [card(0, { mig: 1 }), instance, ours, theirs])
    lookFor(job, 2)
    const figures = job.figures(now)
    for (const [key, value] of [
      ['gpuBusySeconds', 1],
      ['gpu1BusySeconds', 1],
      ['gpuUtilizationPercentMean', 25],
      ['gpuUtilizationPercentPeak', 50],
    ] as const)
      expect(figures[key], key).toMatchObject({
        value,
        basis: expect.stringMatching(/^at least: /),
      })
  })
})

describe.skipIf(standInMissing)('a card that does not tell the memory of its processes', () => {
  const silent = processOn(0, { pid: ownPid, memory: -1, sm: 60 })

  it('makes no 0 of it', async () => {
    setState(state, [card(0, { util: 50 })])
    const job = await follow()
    lookFor(job, 1)
    setState(state, [card(0, { util: 50 }), silent])
    lookFor(job, 1)
    const why = 'the driver does not tell the memory of its processes'
    expect(job.figures(now)['gpuMemoryPeakBytes']).toEqual({ value: null, why })
  })

  it('makes a lower bound of what it told before', async () => {
    setState(state, [card(0, { util: 50 }), own])
    const job = await follow()
    lookFor(job, 1)
    setState(state, [card(0, { util: 50 }), silent])
    lookFor(job, 1)
    expect(job.figures(now)['gpuMemoryPeakBytes']).toEqual({
      value: 3_000_000,
      basis:
        'at least: NVML, memory of its processes, most at one look; the driver does not tell the memory of its processes',
    })
  })
})

describe.skipIf(standInMissing)('a card that does not tell how much it works', () => {
  it('makes no 0 of it', async () => {
    setState(state, ['card 0 uuid=GPU-x name=Old total=9000000 used=10 power=90000', own])
    const job = await follow()
    lookFor(job, 2)
    const figures = job.figures(now)
    const why = 'the card does not tell how much it works'
    for (const key of ['gpuBusySeconds', 'gpu0BusySeconds', 'gpuUtilizationPercentPeak'])
      expect(figures[key], key).toEqual({ value: null, why })
    expect(figures['gpuHeldSeconds']?.value).toBeCloseTo(2)
  })
})

describe.skipIf(standInMissing)('a driver that tells what cannot be', () => {
  it('is not believed, and the figures say why they are missing', async () => {
    const wrong = { util: 4e9, memutil: 4e9, used: 1e18, power: 4e9, temp: 4e9, clock: 4e9 }
    setState(state, [card(0, wrong), processOn(0, { pid: ownPid, memory: 1e18 })])
    const job = await follow()
    lookFor(job, 3)
    const figures = job.figures(now)
    const odd = (what: string) => ({ value: null, why: `the driver told what cannot be: ${what}` })
    expect(figures).toMatchObject({
      gpu0UtilizationPercentMean: odd('4000000000 % of use'),
      gpu0BusySeconds: odd('4000000000 % of use'),
      gpu0MemoryUsedPeakBytes: odd('1000000000000000000 bytes of memory in use'),
      gpu0OwnMemoryPeakBytes: odd('1000000000000000000 bytes of memory of one process'),
      gpu0TemperaturePeakCelsius: odd('4000000000 °C'),
      gpu0PowerWattsPeak: odd('4000000 W'),
      gpu0EnergyJoules: odd('4000000 W'),
      gpuUtilizationPercentMean: odd('4000000000 % of use'),
      gpuMemoryPeakBytes: odd('1000000000000000000 bytes of memory of one process'),
      gpuEnergyJoules: odd('4000000 W'),
      gpuPowerWattsMean: odd('4000000 W'),
    })
    const absurd = Object.entries(figures).filter(
      ([key, { value }]) => !key.includes('TotalBytes') && (value ?? 0) > 1e6,
    )
    expect(absurd).toEqual([])
  })

  it('makes no 0 of what it does not tell while the job is on the card', async () => {
    const wrong = card(0, { util: 2 ** 32 - 1, power: 2 ** 32 - 1, energy: 1_000_000 })
    setState(state, [wrong])
    const job = await follow('CUDA_VISIBLE_DEVICES=0\0')
    lookFor(job, 1)
    setState(state, [wrong, own])
    lookFor(job, 2)
    const figures = job.figures(now)
    const untold = Object.entries(figures).filter(
      ([key]) => /(Energy|Watts|Utilization|Busy)/.test(key) && !key.includes('Memory'),
    )
    expect(untold.map(([key]) => key)).toContain('gpuUtilizationPercentPeak')
    expect(untold.filter(([, { value }]) => value !== null)).toEqual([])
    expect(figures['gpuUtilizationPercentPeak']).toEqual({
      value: null,
      why: 'the driver told what cannot be: 4294967295 % of use',
    })
    expect(figures['gpuEnergyJoules']).toEqual({
      value: null,
      why: 'the driver told what cannot be: 4294967.295 W',
    })
  })

  it('has no energy by a counter that stands still, but by the power where that is told', async () => {
    setState(state, [card(0, { power: 100_000, energy: 1_000_000 }), own])
    const job = await follow()
    lookFor(job, 4)
    expect(job.figures(now)['gpuEnergyJoules']?.value).toBeCloseTo(400)
  })

  it('says that the counter of energy stands still where no power is told either', async () => {
    setState(state, ['card 0 uuid=GPU-x name=Old total=9000000 used=10 util=50 energy=7000', own])
    const job = await follow()
    lookFor(job, 4)
    const why = 'the energy counter of the card stands still, and its power is not told'
    const figures = job.figures(now)
    for (const key of ['gpuEnergyJoules', 'gpuPowerWattsMean', 'gpu0EnergyJoules'])
      expect(figures[key], key).toEqual({ value: null, why })
  })

  it('does not make energy of a counter that jumps', async () => {
    setState(state, [card(0, { power: 100_000, energy: 1_000_000 }), own])
    const job = await follow()
    lookFor(job, 4)
    setState(state, [card(0, { power: 100_000, energy: 9e15 }), own])
    expect(job.figures(now)['gpuEnergyJoules']?.value).toBeCloseTo(400)
  })
})

describe.skipIf(standInMissing)('the energy of a job', () => {
  it('begins when the job does, although the counter was last read long before', async () => {
    const drawn = (energy: number): string => card(0, { power: 100_000, energy })
    setState(state, [drawn(1_000_000), own])
    const cards = await openCards()
    for (; now < 5; now += 0.5) cards.look()
    const begun = now
    const job = jobOn(cards)
    for (; now < begun + 3; now += 0.5) job.look(now - begun, 'row')
    setState(state, [drawn(1_000_000 + 8 * 100_000), own])
    const figures = job.figures(now - begun)
    expect(figures['gpuEnergyJoules']?.value).toBeCloseTo(300)
    expect(figures['gpuPowerWattsMean']?.value).toBeCloseTo(100)
  })

  it('goes on by power where the driver goes away before the counter is read again', async () => {
    setState(state, [card(0, { power: 100_000 }), own])
    const job = await follow()
    lookFor(job, 4)
    setState(state, ['driver loaded=0'])
    now += 1
    const figures = job.figures(now)
    expect(figures['gpuEnergyJoules']).toMatchObject({
      value: 400,
      basis: expect.stringMatching(/^at least: /),
    })
    expect(figures['gpuPowerWattsMean']?.value).toBeCloseTo(100)
  })

  it('is the counter’s where a card tells no power', async () => {
    const silent = (energy: number): string =>
      `card 0 uuid=GPU-x name=Old total=1000 used=10 util=50 energy=${energy}`
    setState(state, [silent(1_000_000), own])
    const job = await follow()
    lookFor(job, 4)
    setState(state, [silent(1_800_000), own])
    const figures = job.figures(now)
    expect(figures['gpuEnergyJoules']?.value).toBeCloseTo(800)
    expect(figures['gpuPowerWattsMean']?.value).toBeCloseTo(200)
  })
})
