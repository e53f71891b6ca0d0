import { describe, expect, it } from 'vitest'
import { a380 } from '../../../test/fixtures/gpu/trees.ts'
import {
  amdTree,
  drm,
  fdinfo,
  intelTree,
  kfd,
  openCards,
  processes,
} from '../../../test/gpu/drm-machine.ts'
import { fakeSystem } from '../../system/fake.ts'
import { DrmCards } from './drm-cards.ts'

describe('AMD cards by sysfs', () => {
  it('are all read, and nothing of others', () => {
    const source = openCards(fakeSystem({ files: amdTree }), 'amd')
    source.look(true)
    expect(source.cards).toHaveLength(2)
    expect(source.cards[0]).toMatchObject({
      identity: {
        vendor: 'amd',
        index: 0,
        id: '0000:03:00.0',
        name: 'AMD GPU 0x73bf',
        source: 'amdgpu in sysfs',
      },
      utilizationPercent: 37,
      memoryUtilizationPercent: 12,
      memoryUsedBytes: 1_834_405_888,
      memoryTotalBytes: 17_163_091_968,
      temperatureCelsius: 51,
      powerWatts: 183,
      powerLimitWatts: 272,
      clockMegahertz: 2310,
    })
    expect(source.cards[1]).toMatchObject({
      identity: { index: 1, id: '0000:43:00.0', name: 'AMD Instinct MI300X' },
      utilizationPercent: 99,
      memoryUtilizationPercent: Number.NaN,
      powerWatts: 741,
      powerLimitWatts: Number.NaN,
    })
  })

  it('have the numbers of ROCm, which counts those that it can use in its own order', () => {
    const node = (number: number, id: number, location: number) => ({
      [`${kfd}/topology/nodes/${number}/gpu_id`]: `${id}\n`,
      [`${kfd}/topology/nodes/${number}/properties`]: `location_id ${location}\ndomain 0\n`,
    })
    const numbers = (files: Readonly<Record<string, string>>) =>
      openCards(fakeSystem({ files: { ...amdTree, ...files } }), 'amd').cards.map(
        ({ rocmNumbers }) => rocmNumbers,
      )
    const mi300x = 17_152
    expect(numbers({ ...node(10, 3, 768), ...node(0, 0, 0), ...node(2, 7, mi300x) })).toEqual([
      [1],
      [0],
    ])
    expect(numbers({ ...node(1, 7, mi300x), ...node(2, 8, mi300x + 2 ** 28) })).toEqual([
      [],
      [0, 1],
    ])
    expect(numbers({})).toEqual([null, null])
  })

  it('fail one by one when they fall away', () => {
    const system = fakeSystem({ files: amdTree })
    const source = openCards(system, 'amd')
    source.look(true)
    system.tree.delete(`${drm}/card0/device/vendor`)
    system.advance(1)
    source.look(true)
    expect(source.cards.map(({ failure }) => failure)).toEqual([
      'it is not in sysfs any more',
      null,
    ])
    system.tree.set(`${drm}/card0/device/vendor`, amdTree[`${drm}/card0/device/vendor`] ?? '')
    system.advance(1)
    source.look(true)
    expect(source.cards[0]).toMatchObject({ failure: null, processes: { loss: null } })
  })
})

describe('Intel cards by sysfs', () => {
  it('are known by what processes do on them', () => {
    const system = fakeSystem({
      files: {
        ...intelTree,
        '/proc/7/fd/5': '/dev/dri/renderD128',
        '/proc/8/fd/5': '/dev/dri/renderD129',
      },
    })
    const tell = (renderSeconds: number, cycles: number): void => {
      const render = `drm-engine-render:\t${renderSeconds * 1e9} ns\n`
      system.tree.set('/proc/7/fdinfo/5', fdinfo('0000:00:02.0', 1, render))
      const compute = `drm-cycles-ccs:\t${cycles}\ndrm-total-cycles-ccs:\t${renderSeconds * 1000}\n`
      const memory = 'drm-resident-vram0:\t16 MiB\n'
      system.tree.set('/proc/8/fdinfo/5', fdinfo('0000:03:00.0', 4, `${memory}${compute}`))
    }
    tell(1, 0)
    const source = openCards(system, 'intel')
    source.watch(processes(7))
    source.watch(processes(8))
    source.look(true)
    tell(1.9, 450)
    system.advance(1)
    source.look(true)
    const [shared, own] = source.cards
    expect(shared).toMatchObject({
      identity: { source: 'i915 in sysfs', name: 'Intel GPU 0x9a49' },
    })
    expect(shared?.utilizationPercent).toBeCloseTo(90)
    expect(shared?.processes.memoryBytes[0]).toBeNaN()
    expect(own?.utilizationPercent).toBeCloseTo(50)
    expect(own?.processes.memoryBytes[0]).toBe(16 * 2 ** 20)
    expect(own).toMatchObject({ energyJoules: 123.456789, powerLimitWatts: 190 })
  })

  it('are unavailable where there is none', () => {
    expect(DrmCards.open(fakeSystem({ files: amdTree }), 'intel')).toEqual({
      kind: 'unavailable',
      why: 'no card of intel in /sys/class/drm',
    })
    expect(DrmCards.open(fakeSystem(), 'amd')).toEqual({
      kind: 'unavailable',
      why: 'there is no /sys/class/drm',
    })
  })
})

describe('two looks that are too close together', () => {
  it('leave power and use as they were, and the next one speaks of all the time since', () => {
    const counter = Object.keys(a380).find((path) => path.endsWith('energy1_input')) ?? ''
    const system = fakeSystem({ files: { ...a380, '/proc/7/fd/5': '/dev/dri/renderD128' } })
    const tell = (joules: number, seconds: number): void => {
      system.tree.set(counter, `${25_000_000_000 + joules * 1e6}\n`)
      const compute = `drm-engine-compute:\t${seconds * 1e9} ns\n`
      system.tree.set('/proc/7/fdinfo/5', fdinfo('0000:0b:00.0', 1, compute))
    }
    const source = openCards(system, 'intel')
    source.watch(processes(7))
    const look = (joules: number, worked: number, seconds: number, seldom = false) => {
      system.advance(seconds)
      tell(joules, worked)
      source.look(seldom)
      const [card] = source.cards
      return [card?.powerWatts, card?.processes.utilizationPercent[0], card?.energyJoules]
    }
    look(0, 1, 0, true)
    expect(look(60, 2, 2)).toEqual([30, 50, 25_000])
    // The last look of a job: what it adds up starts from the counter as it was read.
    expect(look(65, 2.001, 0.001, true)).toEqual([30, 50, 25_060])
    expect(look(100, 2.5, 0.999)).toEqual([40, 50, 25_060])
  })
})
