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

async function follow(): Promise<JobGpus> {
  const cards = await NvmlCards.open(system)
  if (cards.kind !== 'ok') throw new Error(JSON.stringify(cards))
  opened = new WatchedCards(system, [cards.value])
  const members = {
    byPid: new Map([[ownPid, {}]]),
    totals: () => ({ userTicks: 0, systemTicks: 0 }),
  }
  return new JobGpus({ system, members, devices: new JobDevices(0, () => {}) }, opened, '')
}

function lookFor(job: JobGpus, seconds: number): void {
  for (const end = now + seconds; now < end;) {
    now += 0.5
    job.look(now, 'row')
  }
}

const own = processOn(0, { pid: ownPid, memory: 3_000_000, sm: 60 })
const other = processOn(0, { pid: otherPid, memory: 3_000_000, sm: 30 })

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
})
