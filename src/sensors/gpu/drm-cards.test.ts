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
import { fakeSystem, type FakeSystem } from '../../system/fake.ts'
import { DrmCards } from './drm-cards.ts'

const drm = '/sys/class/drm'

/** What the kernel shows of two AMD cards: one that draws, one that only computes. */
const amdTree = {
  [`${drm}/card0/device/vendor`]: '0x1002\n',
  [`${drm}/card0/device/device`]: '0x73bf\n',
  [`${drm}/card0/device/uevent`]:
    'DRIVER=amdgpu\nPCI_CLASS=30000\nPCI_ID=1002:73BF\nPCI_SLOT_NAME=0000:03:00.0\n',
  [`${drm}/card0/device/gpu_busy_percent`]: '37\n',
  [`${drm}/card0/device/mem_busy_percent`]: '12\n',
  [`${drm}/card0/device/mem_info_vram_used`]: '1834405888\n',
  [`${drm}/card0/device/mem_info_vram_total`]: '17163091968\n',
  [`${drm}/card0/device/hwmon/hwmon3/temp1_input`]: '51000\n',
  [`${drm}/card0/device/hwmon/hwmon3/power1_average`]: '183000000\n',
  [`${drm}/card0/device/hwmon/hwmon3/power1_cap`]: '272000000\n',
  [`${drm}/card0/device/hwmon/hwmon3/freq1_input`]: '2310000000\n',
  [`${drm}/card0-DP-1/status`]: 'disconnected\n',
  [`${drm}/card2/device/vendor`]: '0x1002\n',
  [`${drm}/card2/device/product_name`]: 'AMD Instinct MI300X\n',
  [`${drm}/card2/device/uevent`]: 'DRIVER=amdgpu\nPCI_SLOT_NAME=0000:43:00.0\n',
  [`${drm}/card2/device/gpu_busy_percent`]: '99\n',
  [`${drm}/card2/device/mem_info_vram_used`]: '100000000000\n',
  [`${drm}/card2/device/mem_info_vram_total`]: '205890000000\n',
  [`${drm}/card2/device/hwmon/hwmon5/temp1_input`]: '62000\n',
  [`${drm}/card2/device/hwmon/hwmon5/power1_input`]: '741000000\n',
  [`${drm}/card1/device/vendor`]: '0x10de\n',
}

/** An Intel card by i915 that shares the machine's memory, and one by xe with its own. */
const intelTree = {
  [`${drm}/card0/device/vendor`]: '0x8086\n',
  [`${drm}/card0/device/device`]: '0x9a49\n',
  [`${drm}/card0/device/uevent`]: 'DRIVER=i915\nPCI_SLOT_NAME=0000:00:02.0\n',
  [`${drm}/card1/device/vendor`]: '0x8086\n',
  [`${drm}/card1/device/device`]: '0x56a0\n',
  [`${drm}/card1/device/uevent`]: 'DRIVER=xe\nPCI_SLOT_NAME=0000:03:00.0\n',
  [`${drm}/card1/device/hwmon/hwmon2/energy1_input`]: '123456789\n',
  [`${drm}/card1/device/hwmon/hwmon2/power1_cap`]: '190000000\n',
}

function open(system: FakeSystem, vendor: 'amd' | 'intel'): DrmCards {
  const cards = DrmCards.open(system, vendor)
  if (cards.kind !== 'ok') throw new Error('no cards')
  return cards.value
}

const fdinfo = (card: string, client: number, rest: string): string =>
  `pos:\t0\ndrm-driver:\tx\ndrm-client-id:\t${client}\ndrm-pdev:\t${card}\n${rest}`

/** One that computes by ROCm, whose open file tells of next to nothing (see the capture `fdinfo-amdgpu-rocm`). */
const rocmProcess = {
  '/proc/7/fd/4': '/dev/kfd',
  '/proc/7/fd/5': '/dev/dri/renderD128',
  '/proc/7/fdinfo/5': fdinfo('0000:43:00.0', 1, 'drm-memory-vram:\t76 KiB\n'),
  '/proc/7/fd/6': '/dev/dri/renderD129',
  '/proc/7/fdinfo/6': fdinfo('0000:03:00.0', 2, 'drm-memory-vram:\t76 KiB\n'),
}

describe('AMD cards by sysfs', () => {
  it('are all read, and nothing of others', () => {
    const source = open(fakeSystem({ files: amdTree }), 'amd')
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

  it('tell what processes did on them between two looks, each client once', () => {
    const system = fakeSystem({
      files: {
        ...amdTree,
        '/proc/7/fd/0': '/dev/null',
        '/proc/7/fd/5': '/dev/dri/renderD128',
        '/proc/7/fd/6': '/dev/dri/renderD128',
        '/proc/7/fd/9': '/dev/dri/card2',
      },
    })
    const tell = (gfxSeconds: number): void => {
      const engines = `drm-memory-vram:\t2048 KiB\ndrm-engine-gfx:\t${gfxSeconds * 1e9} ns\n`
      const first = fdinfo('0000:03:00.0', 1, `${engines}drm-engine-compute:\t0 ns\n`)
      system.tree.set('/proc/7/fdinfo/5', first)
      system.tree.set('/proc/7/fdinfo/6', first)
      system.tree.set('/proc/7/fdinfo/9', fdinfo('0000:43:00.0', 2, 'drm-memory-vram:\t4 KiB\n'))
    }
    tell(10)
    const source = open(system, 'amd')
    const unwatch = source.watch(new Map([[7, null]]))
    source.look(true)
    tell(10.5)
    system.advance(2)
    source.look(true)
    const [first, second] = source.cards
    expect(first?.processes).toMatchObject({ count: 1, listsAll: false })
    expect(first?.processes.memoryBytes[0]).toBe(2048 * 1024)
    expect(first?.processes.utilizationPercent[0]).toBeCloseTo(25)
    expect(second?.processes.memoryBytes[0]).toBe(4096)
    unwatch()
    source.look(true)
    expect(first?.processes.count).toBe(0)
  })

  it('do not tell how busy a process kept them that computes by ROCm', () => {
    const system = fakeSystem({ files: { ...amdTree, ...rocmProcess } })
    const source = open(system, 'amd')
    source.watch(new Map([[7, null]]))
    source.look(true)
    expect(source.cards[1]?.processes.utilizationPercent[0]).toBeNaN()
    expect(source.cards[1]?.processes.memoryBytes[0]).toBe(76 * 1024)
  })

  it('have the memory of a process that computes by ROCm from the driver for that', () => {
    const kfd = '/sys/class/kfd/kfd'
    const system = fakeSystem({
      files: {
        ...amdTree,
        ...rocmProcess,
        [`${kfd}/topology/nodes/0/gpu_id`]: '0\n',
        [`${kfd}/topology/nodes/0/properties`]: 'cpu_cores_count 64\nlocation_id 0\ndomain 0\n',
        [`${kfd}/topology/nodes/1/gpu_id`]: '51545\n',
        [`${kfd}/topology/nodes/1/properties`]: 'simd_count 304\nlocation_id 17152\ndomain 0\n',
        // The other half of the same card, divided in two.
        [`${kfd}/topology/nodes/3/gpu_id`]: '51546\n',
        [`${kfd}/topology/nodes/3/properties`]: `location_id ${17_152 + 2 ** 28}\ndomain 0\n`,
        [`${kfd}/proc/7/vram_51546`]: '1000\n',
        [`${kfd}/topology/nodes/2/gpu_id`]: '8417\n',
        [`${kfd}/topology/nodes/2/properties`]: 'simd_count 304\nlocation_id 768\ndomain 0\n',
        [`${kfd}/proc/7/vram_51545`]: '2040109465\n',
        [`${kfd}/proc/7/vram_8417`]: '0\n',
      },
    })
    const source = open(system, 'amd')
    source.watch(new Map([[7, null]]))
    source.look(true)
    const [other, own] = source.cards
    // It opens every card there is, whether it uses it or not.
    expect(other?.processes.count).toBe(0)
    expect(own?.processes).toMatchObject({ count: 1 })
    expect(own?.processes.memoryBytes[0]).toBe(2_040_110_465)
    expect(own?.processes.utilizationPercent[0]).toBeNaN()
  })

  it('have nothing of what a process does on a card of another vendor', () => {
    const intel = fdinfo('0000:00:02.0', 1, 'drm-engine-render:\t500 ns\n')
    const system = fakeSystem({
      files: { ...vega56, '/proc/7/fd/5': '/dev/dri/renderD128', '/proc/7/fdinfo/5': intel },
    })
    const source = open(system, 'amd')
    source.watch(new Map([[7, null]]))
    source.look(true)
    expect(source.cards[0]?.processes.count).toBe(0)
  })

  it('count a client once that a process has from its parent', () => {
    const inherited = fdinfo('0000:03:00.0', 1, 'drm-memory-vram:\t2048 KiB\n')
    const system = fakeSystem({
      files: {
        ...amdTree,
        '/proc/7/fd/5': '/dev/dri/renderD128',
        '/proc/7/fdinfo/5': inherited,
        '/proc/8/fd/5': '/dev/dri/renderD128',
        '/proc/8/fdinfo/5': inherited,
        '/proc/8/fd/6': '/dev/dri/renderD128',
        '/proc/8/fdinfo/6': fdinfo('0000:03:00.0', 2, 'drm-memory-vram:\t1024 KiB\n'),
      },
    })
    const source = open(system, 'amd')
    source.watch(
      new Map([
        [7, null],
        [8, null],
      ]),
    )
    source.look(true)
    expect(source.cards[0]?.processes).toMatchObject({ count: 2, pids: [7, 8] })
    expect(source.cards[0]?.processes.memoryBytes).toEqual([2048 * 1024, 1024 * 1024])
  })

  it('fail one by one when they fall away', () => {
    const system = fakeSystem({ files: amdTree })
    const source = open(system, 'amd')
    source.look(true)
    system.tree.delete(`${drm}/card0/device/vendor`)
    source.look(true)
    expect(source.cards.map(({ failure }) => failure)).toEqual([
      'it is not in sysfs any more',
      null,
    ])
    system.tree.set(`${drm}/card0/device/vendor`, amdTree[`${drm}/card0/device/vendor`] ?? '')
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
    const source = open(system, 'intel')
    source.watch(new Map([[7, null]]))
    source.watch(new Map([[8, null]]))
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

  it('are not used by a process that has only opened them, until it works there', () => {
    const system = fakeSystem({ files: { ...a380, '/proc/7/fd/5': '/dev/dri/renderD128' } })
    const tell = (seconds: number): void => {
      const idle = 'drm-total-local0:\t0\ndrm-resident-local0:\t0\ndrm-engine-copy:\t0 ns\n'
      const compute = `drm-engine-compute:\t${seconds * 1e9} ns\n`
      system.tree.set('/proc/7/fdinfo/5', fdinfo('0000:0b:00.0', 1, `${idle}${compute}`))
    }
    tell(0)
    const source = open(system, 'intel')
    source.watch(new Map([[7, null]]))
    source.look(true)
    expect(source.cards[0]?.processes.count).toBe(0)
    tell(1)
    system.advance(2)
    source.look(false)
    expect(source.cards[0]).toMatchObject({ utilizationPercent: 50, processes: { count: 1 } })
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

describe('captured trees of AMD cards', () => {
  const seen = (files: Readonly<Record<string, string>>) => {
    const source = open(fakeSystem({ files: { ...files } }), 'amd')
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
      oddity: null,
    })
    expect(seen(vega56)).toMatchObject({
      utilizationPercent: 0,
      memoryUsedBytes: 16_613_376,
      temperatureCelsius: 38,
      powerWatts: 8,
      powerLimitWatts: 260,
      clockMegahertz: 26,
      oddity: null,
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
    const source = open(system, 'intel')
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
