import { describe, expect, it } from 'vitest'
import {
  a380,
  a380ByXe,
  b580,
  cometLake,
  mi300a,
  phoenix,
  raven,
  rx6900xt,
  vega56,
} from '../../../test/fixtures/gpu/trees.ts'
import { openCards } from '../../../test/gpu/drm-machine.ts'
import { fakeSystem } from '../../system/fake.ts'

describe('captured trees of AMD cards', () => {
  const seen = (files: Readonly<Record<string, string>>) => {
    const source = openCards(fakeSystem({ files: { ...files } }), 'amd')
    source.look(true)
    return source.cards[0]
  }

  it('give use, memory, temperature, power, limit and clock', () => {
    expect(seen(rx6900xt)).toMatchObject({
      identity: { name: 'AMD GPU 0x73bf', source: 'amdgpu in sysfs' },
      utilizationPercent: 3,
      memoryUsedBytes: 668_274_688,
      memoryTotalBytes: 17_163_091_968,
      temperatureCelsius: 56,
      powerWatts: 36,
      powerLimitWatts: 289,
      clockMegahertz: 500,
      energyJoules: Number.NaN,
      oddities: {},
    })
    expect(seen(vega56)).toMatchObject({
      utilizationPercent: 0,
      memoryUsedBytes: 16_613_376,
      temperatureCelsius: 38,
      powerWatts: 8,
      powerLimitWatts: 260,
      clockMegahertz: 26,
      oddities: {},
    })
    expect(seen(phoenix)).toMatchObject({
      powerWatts: 3.103,
      powerLimitWatts: Number.NaN,
      temperatureCelsius: 25,
    })
  })

  it('give the junction’s temperature where there is none of the edge', () => {
    expect(seen(mi300a)).toMatchObject({ temperatureCelsius: 43, powerWatts: 117 })
  })

  it('show which cards are part of a CPU', () => {
    const parts = [phoenix, raven, mi300a].map((tree) => seen(tree)?.isInCpuPackage)
    expect(parts).toEqual([true, true, true])
    expect([rx6900xt, vega56].map((tree) => seen(tree)?.isInCpuPackage)).toEqual([false, false])
  })

  it('leave out what the driver refuses', () => {
    expect(seen(raven)).toMatchObject({
      utilizationPercent: Number.NaN,
      memoryTotalBytes: Number.NaN,
      powerWatts: Number.NaN,
      temperatureCelsius: 28,
    })
  })
})

describe('captured trees of Intel cards', () => {
  /** After two looks two seconds apart, in which the counter grew by so many joules. */
  const seen = (files: Readonly<Record<string, string>>, counter = '', joules = 0) => {
    const system = fakeSystem({ files: { ...files } })
    const source = openCards(system, 'intel')
    source.look(true)
    const [path, before] = Object.entries(files).find(([name]) => name.endsWith(counter)) ?? []
    if (path !== undefined && counter !== '')
      system.tree.set(path, `${Number(before) + joules * 1e6}\n`)
    system.advance(2)
    source.look(false)
    return source.cards[0]
  }

  it('give power by the energy counter, which is kept for the looks that ask for it', () => {
    expect(seen(a380, 'energy1_input', 60)).toMatchObject({
      identity: { name: 'Intel GPU 0x56a5', source: 'i915 in sysfs' },
      powerWatts: 30,
      powerLimitWatts: 55,
      energyJoules: 25_637.161804,
      temperatureCelsius: 55,
      clockMegahertz: 600,
    })
  })

  it('give the chip’s where the card’s is not counted', () => {
    expect(seen(a380ByXe, 'energy2_input', 20)).toMatchObject({
      powerWatts: 10,
      powerLimitWatts: 55,
      energyJoules: 2850.177917,
      temperatureCelsius: Number.NaN,
      clockMegahertz: 600,
    })
  })

  it('give memory, and the temperature of the chip whatever its number', () => {
    expect(seen(b580, 'energy1_input', 380)).toMatchObject({
      powerWatts: 190,
      powerLimitWatts: 190,
      temperatureCelsius: 54,
      memoryTotalBytes: 12 * 2 ** 30,
      clockMegahertz: 400,
    })
  })

  it('tell no power where the counter stands still: every card draws some', () => {
    expect(seen(b580, 'energy1_input', 0)?.powerWatts).toBeNaN()
  })

  it('tell no power where the counter began anew', () => {
    expect(seen(b580, 'energy1_input', -10_000)?.powerWatts).toBeNaN()
  })

  it('give the clock alone of one without sensors, and no use that nobody knows', () => {
    expect(seen(cometLake)).toMatchObject({
      utilizationPercent: Number.NaN,
      clockMegahertz: 300,
      powerWatts: Number.NaN,
      temperatureCelsius: Number.NaN,
      memoryTotalBytes: Number.NaN,
    })
  })
})
