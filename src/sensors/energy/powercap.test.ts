import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fourSockets,
  laptop,
  oneSocket,
  platformFirst,
  twoDies,
  twoSockets,
} from '../../../test/fixtures/powercap/trees.ts'
import { fakeSystem } from '../../system/fake.ts'
import { PackageEnergy, Powercap } from './powercap.ts'

const counter = (place: string): string => `/sys/class/powercap/${place}/energy_uj`

/** The counters of a machine, and its files as they stand: a counter that is kept open is read anew each time. */
function opened(files: Readonly<Record<string, string>>) {
  const tree = new Map(Object.entries(files))
  const living = Object.keys(files).map((path) => [path, () => tree.get(path)] as const)
  const powercap = Powercap.open(fakeSystem({ files: Object.fromEntries(living) }))
  if (powercap.kind !== 'ok') throw new Error(JSON.stringify(powercap))
  return { powercap: powercap.value, tree }
}

describe('the energy counters of a machine', () => {
  it('are those of its packages, without their parts and what counts them again', () => {
    expect(opened(twoSockets).powercap.packages.map(({ name }) => name)).toEqual([
      'package-0',
      'package-1',
    ])
    expect(opened(oneSocket).powercap.packages.map(({ name }) => name)).toEqual(['package-0'])
  })

  it('are those of its packages on whatever machine was captured', () => {
    const names = (files: Readonly<Record<string, string>>): string[] =>
      opened(files).powercap.packages.map(({ name }) => name)
    expect(names(laptop)).toEqual(['package-0'])
    expect(names(platformFirst)).toEqual(['package-0'])
    expect(names(fourSockets)).toEqual(['package-0', 'package-1', 'package-2', 'package-3'])
    expect(names(twoDies)).toEqual(['package-0-die-0', 'package-0-die-1'])
  })

  it('add up over all packages, and not over their memory', () => {
    const { powercap, tree } = opened(fourSockets)
    for (const place of ['intel-rapl:0', 'intel-rapl:3', 'intel-rapl:3:0'])
      tree.set(counter(place), `${Number(tree.get(counter(place))) + 4_000_000}\n`)
    expect(powercap.read()).toBe(true)
    expect(powercap.joules).toBeCloseTo(8, 6)
  })

  it('add up from when they were opened, past the end of a counter', () => {
    const { powercap, tree } = opened(twoSockets)
    expect(powercap.joules).toBe(0)
    tree.set(counter('intel-rapl:0'), '1003000000\n')
    tree.set(counter('intel-rapl:1'), '671150\n')
    expect(powercap.read()).toBe(true)
    expect(powercap.joules).toBeCloseTo(3 + 1, 6)
  })

  it('are left as they were where one cannot be read any more', () => {
    const { powercap, tree } = opened(oneSocket)
    tree.delete(counter('intel-rapl:0'))
    expect(powercap.read()).toBe(false)
    expect(powercap.joules).toBe(0)
    // What was drawn since is missing.
    expect(powercap.hasGap).toBe(true)
  })

  it('miss nothing where one could not be read for a while', () => {
    const { powercap, tree } = opened(oneSocket)
    const path = counter('intel-rapl:0')
    const before = Number(tree.get(path))
    tree.set(path, '')
    expect(powercap.read()).toBe(false)
    tree.set(path, `${before + 4_000_000}\n`)
    expect(powercap.read()).toBe(true)
    expect(powercap.joules).toBeCloseTo(4, 6)
    expect(powercap.hasGap).toBe(false)
  })

  it('are unavailable, never 0, on a machine that has none', () => {
    expect(Powercap.open(fakeSystem())).toMatchObject({
      kind: 'unavailable',
      why: expect.stringContaining('no energy counters'),
    })
  })

  it('are unavailable to those who may not read them, with what to do', () => {
    const { files, clock } = fakeSystem({ files: { ...twoSockets } })
    const locked = {
      ...files,
      open: (path: string) => (path === counter('intel-rapl:1') ? -1 : files.open(path)),
    }
    expect(Powercap.open({ files: locked, clock })).toMatchObject({
      kind: 'unavailable',
      why: expect.stringContaining('chmod o+r'),
    })
  })
})

describe('a counter that goes round', () => {
  it('tells the energy of any way that it takes', () => {
    const range = 1_000_000
    const steps = fc.array(fc.nat(range - 1), { maxLength: 50 })
    fc.assert(
      fc.property(fc.nat(range - 1), steps, (start, grown) => {
        const energy = new PackageEnergy('package-0', range)
        let total = start
        energy.take(total, 0)
        for (const step of grown) {
          total += step
          energy.take(total % range, 0)
        }
        expect(energy.joules).toBeCloseTo((total - start) / 1e6, 6)
      }),
    )
  })

  it('is not moved by what no counter can say', () => {
    const energy = new PackageEnergy('package-0', 1000)
    energy.take(10, 0)
    for (const wrong of [NaN, -1, 1001, Infinity]) energy.take(wrong, 1)
    energy.take(20, 2)
    expect(energy.joules).toBeCloseTo(10e-6, 12)
    expect(energy.hasGap).toBe(true)
  })

  it('never tells more than a package can draw in the time, whatever the counter does', () => {
    const range = 262_143_328_850
    const readings = fc.array(
      fc.tuple(fc.nat(range), fc.double({ min: 0.01, max: 60, noNaN: true })),
      { minLength: 1, maxLength: 50 },
    )
    fc.assert(
      fc.property(readings, (all) => {
        const energy = new PackageEnergy('package-0', range)
        let now = 0
        for (const [microjoules, seconds] of all) energy.take(microjoules, (now += seconds))
        expect(energy.joules).toBeLessThanOrEqual((now + all.length) * 5000)
      }),
    )
  })

  it('is not taken for one that went round where it was set back', () => {
    const energy = new PackageEnergy('package-0', 262_143_328_850)
    energy.take(1_000_000_000, 0)
    energy.take(5_000_000, 1)
    energy.take(105_000_000, 2)
    expect(energy.joules).toBeCloseTo(100)
    expect(energy.hasGap).toBe(true)
  })
})
