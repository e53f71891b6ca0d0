import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  card,
  gpm,
  instanceOf,
  processOn,
  setState,
  standIn,
  standInMissing,
} from '../../../test/nvml/stand-in.ts'
import { openNvml } from '../../system/nvml.ts'
import { realSystem } from '../../system/real.ts'
import type { System } from '../../system/system.ts'
import { NvmlCards } from './nvml-cards.ts'

const folder = mkdtempSync(join(tmpdir(), 'jobmeter-nvml-'))
const state = join(folder, 'state')
const real = realSystem({ ownsProcess: false })
let now = 0
const system: System = {
  ...real,
  clock: { ...real.clock, monotonicSeconds: () => now },
  nvml: { isLikely: () => true, open: () => openNvml(standIn) },
}

/** Cards as the library has them. */
async function openCards(...lines: readonly string[]): Promise<NvmlCards> {
  setState(state, lines)
  const cards = await NvmlCards.open(system)
  if (cards.kind !== 'ok') throw new Error(JSON.stringify(cards))
  opened = cards.value
  return cards.value
}

let opened: NvmlCards | undefined
beforeEach(() => {
  now = 0
  process.env['JOBMETER_NVML_STATE'] = state
})
afterEach(() => {
  opened?.close()
  opened = undefined
})
afterAll(() => {
  delete process.env['JOBMETER_NVML_STATE']
  rmSync(folder, { recursive: true })
})

describe.skipIf(standInMissing)('cards through NVML', () => {
  it('are all read, each with its processes', async () => {
    const source = await openCards(
      card(0, { util: 98, memutil: 16, temp: 60, power: 692_500, clock: 1755, throttle: 4 }),
      card(1, { used: 3_000_000_000 }),
      processOn(0, { pid: 7, memory: 2_000_000_000, sm: 60 }),
      processOn(0, { pid: 8, memory: 1_000_000_000, sm: 30 }),
      processOn(0, { pid: 7, memory: 5, graphics: 1 }),
      processOn(0, { pid: 9, memory: -1, graphics: 1 }),
    )
    source.look(true)
    for (const each of source.cards) source.lookAtShares(each)
    const [first, second] = source.cards
    expect(first).toMatchObject({
      identity: { index: 0, id: 'GPU-0000', name: 'NVIDIA H200', vendor: 'nvidia' },
      utilizationPercent: 98,
      memoryUtilizationPercent: 16,
      memoryTotalBytes: 140 * 2 ** 30,
      temperatureCelsius: 60,
      powerWatts: 692.5,
      powerLimitWatts: 700,
      clockMegahertz: 1755,
      mostClockMegahertz: 1980,
      throttle: 1,
      energyJoules: 1000,
      eccErrors: 0,
      failure: null,
    })
    const { processes } = first ?? {}
    expect(processes?.count).toBe(3)
    expect(processes?.pids.slice(0, 3)).toEqual([7, 8, 9])
    expect(processes?.memoryBytes.slice(0, 3)).toEqual([2_000_000_000, 1_000_000_000, Number.NaN])
    expect(processes?.utilizationPercent.slice(0, 3)).toEqual([60, 30, 0])
    expect(second).toMatchObject({ utilizationPercent: 0, memoryUsedBytes: 3_000_000_000 })
    expect(second?.processes.count).toBe(0)
  })

  it('tell the share of a process only when asked, and keep it until asked again', async () => {
    const share = (): number | undefined => {
      source.look(false)
      return source.cards[0]?.processes.utilizationPercent[0]
    }
    const ask = (): void => {
      for (const each of source.cards) source.lookAtShares(each)
    }
    const working = processOn(0, { pid: 7, memory: 1, sm: 60 })
    const source = await openCards(card(0, { stamp: 5_000_000 }), working)
    expect(share()).toBe(0)
    ask()
    expect([share(), share()]).toEqual([60, 60])
    setState(state, [card(0, { stamp: 6_000_000 }), processOn(0, { pid: 7, memory: 1, sm: 20 })])
    expect(share()).toBe(60)
    ask()
    expect(share()).toBe(20)
    // No new sample: nothing was done since.
    ask()
    expect(share()).toBe(0)
  })

  it('tell the share of a process that worked for a part of the time since they were last asked', async () => {
    const told = (...processes: readonly (readonly [stamp: number, sm: number])[]): void => {
      const newest = Math.max(...processes.map(([stamp]) => stamp))
      setState(state, [
        card(0, { stamp: newest }),
        ...processes.map(([stamp, sm], at) => processOn(0, { pid: at + 7, memory: 1, sm, stamp })),
      ])
    }
    const source = await openCards(card(0))
    const shares = (): readonly number[] => {
      source.look(false)
      for (const each of source.cards) source.lookAtShares(each)
      return source.cards[0]?.processes.utilizationPercent.slice(0, 2) ?? []
    }
    // What is told at first may be of long ago.
    told([10_000_000, 50], [8_000_000, 45])
    expect(shares()).toEqual([50, 0])
    // Whom the driver named once in two seconds it may have named at their beginning.
    told([12_000_000, 90], [10_200_000, 10])
    expect(shares()).toEqual([90, 10])
    // Some drivers repeat what they have told.
    told([14_000_000, 98], [10_200_000, 10])
    expect(shares()).toEqual([98, 0])
  })

  it('may have more processes than there was room for', async () => {
    const many = Array.from({ length: 100 }, (_, pid) =>
      processOn(0, { pid: pid + 1, memory: 1000 + pid, sm: 1 }),
    )
    const source = await openCards(card(0), ...many)
    source.look(false)
    for (const each of source.cards) source.lookAtShares(each)
    const { processes } = source.cards[0] ?? {}
    expect(processes?.count).toBe(100)
    expect(processes?.memoryBytes[99]).toBe(1099)
    expect(processes?.utilizationPercent[99]).toBe(1)
  })

  it('tell less where a card cannot tell more, and never 0 for it', async () => {
    const source = await openCards('card 0 uuid=GPU-x name=Old total=1000 used=10')
    source.look(true)
    expect(source.cards[0]).toMatchObject({
      failure: null,
      memoryUsedBytes: 10,
      utilizationPercent: Number.NaN,
      powerWatts: Number.NaN,
      energyJoules: Number.NaN,
      throttle: Number.NaN,
    })
    source.lookAtActivity(source.cards)
    expect(source.cards[0]?.activityLoss).toBe('GPM: the card is older than Hopper')
  })

  it('go on where one of them fails, and come back with it', async () => {
    const source = await openCards(card(0, { util: 50 }), card(1, { util: 60 }))
    source.look(false)
    setState(state, [card(0, { util: 51, error: 15 }), card(1, { util: 61 })])
    source.look(true)
    expect(source.cards[0]).toMatchObject({
      failure: 'the card fell off the bus',
      utilizationPercent: Number.NaN,
    })
    expect(source.cards[1]).toMatchObject({ failure: null, utilizationPercent: 61 })
    setState(state, [card(0, { util: 52 }), card(1, { util: 62 })])
    source.look(false)
    expect(source.cards[0]).toMatchObject({ failure: null, utilizationPercent: 52 })
  })

  it('include one that the driver counts but does not give out', async () => {
    const source = await openCards(card(0, { hidden: 1 }), card(1, { util: 60 }))
    source.look(true)
    expect(source.cards.map(({ failure }) => failure)).toEqual([
      'the driver does not give it out',
      null,
    ])
  })

  it('all fail when the driver goes away, and nothing is asked any more', async () => {
    const source = await openCards(card(0), card(1))
    source.look(true)
    setState(state, ['driver loaded=0', card(0), card(1)])
    source.look(true)
    expect(source.cards.map(({ failure }) => failure)).toEqual([
      'the driver went away',
      'the driver went away',
    ])
    setState(state, [card(0), card(1)])
    source.look(true)
    source.lookAtActivity(source.cards)
    expect(source.cards[1]?.failure).toBe('the driver went away')
  })

  it('are unavailable where the driver is not loaded or has no card', async () => {
    setState(state, ['driver loaded=0'])
    expect(await NvmlCards.open(system)).toEqual({
      kind: 'unavailable',
      why: 'the NVIDIA driver is not loaded',
    })
    setState(state, ['driver loaded=1'])
    expect(await NvmlCards.open(system)).toEqual({
      kind: 'unavailable',
      why: 'the NVIDIA driver has no card',
    })
  })

  it('are parts of a card where it is divided', async () => {
    const source = await openCards(
      card(0, { mig: 1 }),
      card(1),
      instanceOf(0, { uuid: 'MIG-a', name: 'H200_1g', gi: 3, used: 100, total: 1000 }),
      instanceOf(0, { uuid: 'MIG-b', name: 'H200_2g', gi: 5, used: 200, total: 2000 }),
      processOn(0, { pid: 7, memory: 90, gi: 3 }),
      processOn(0, { pid: 8, memory: 190, gi: 5 }),
    )
    source.look(false)
    const told = source.cards.map(({ identity, isDivided, memoryUsedBytes, processes }) => ({
      id: identity.id,
      index: identity.index,
      parentId: identity.parentId,
      isDivided,
      memoryUsedBytes,
      pids: processes.pids.slice(0, processes.count),
    }))
    expect(told).toEqual([
      {
        id: 'GPU-0000',
        index: 0,
        parentId: null,
        isDivided: true,
        memoryUsedBytes: 2 ** 30,
        pids: [7, 8],
      },
      {
        id: 'GPU-1000',
        index: 1,
        parentId: null,
        isDivided: false,
        memoryUsedBytes: 2 ** 30,
        pids: [],
      },
      {
        id: 'MIG-a',
        index: 2,
        parentId: 'GPU-0000',
        isDivided: false,
        memoryUsedBytes: 100,
        pids: [7],
      },
      {
        id: 'MIG-b',
        index: 3,
        parentId: 'GPU-0000',
        isDivided: false,
        memoryUsedBytes: 200,
        pids: [8],
      },
    ])
    for (const each of source.cards) source.lookAtShares(each)
    expect(source.cards[2]?.processes.tellsUtilization).toBe(false)
  })

  it('tell no more than 100 % of their units, though drivers round up', async () => {
    const source = await openCards(card(0), gpm(0, { 2: 100.4, 5: 180 }))
    source.lookAtActivity(source.cards)
    now = 2
    source.lookAtActivity(source.cards)
    expect(source.cards[0]?.activity).toMatchObject({
      smActivePercent: 100,
      tensorPercent: Number.NaN,
    })
  })

  it('tell what their units did between two readings', async () => {
    const source = await openCards(
      card(0),
      gpm(0, { 1: 99.1, 2: 95.6, 3: 14.1, 5: 92.7, 10: 16.1, 20: 3, 21: 4 }),
    )
    source.lookAtActivity(source.cards)
    const { activity } = source.cards[0] ?? {}
    expect(activity?.readings).toBe(0)
    now = 2
    source.lookAtActivity(source.cards)
    expect(activity).toMatchObject({
      readings: 1,
      seconds: 2,
      graphicsPercent: 99.1,
      smActivePercent: 95.6,
      tensorPercent: 92.7,
      dramPercent: 16.1,
      pcieBytesPerSecond: 7 * 2 ** 20,
      fp64Percent: Number.NaN,
      nvlinkBytesPerSecond: Number.NaN,
    })
  })

  it('say why what their units did is not told', async () => {
    const source = await openCards(card(0, { gpmerror: 4 }))
    source.lookAtActivity(source.cards)
    expect(source.cards[0]?.activityLoss).toBe('GPM: it needs more rights')
  })
})

describe('the library', () => {
  it('is not loaded from a file that others can change', async () => {
    const told = await openNvml('relative/nvml')
    expect(told).toMatchObject({
      kind: 'unavailable',
      why: expect.stringMatching(/^JOBMETER_NVML is passed over: relative\/nvml is not a file/),
    })
  })

  it('is unavailable where it cannot be loaded', async () => {
    expect(await openNvml('/etc/passwd')).toMatchObject({
      kind: 'unavailable',
      why: expect.stringMatching(/^\/etc\/passwd cannot be loaded/),
    })
  })
})
