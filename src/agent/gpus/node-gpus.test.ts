import { describe, expect, it } from 'vitest'
import { rx6900xt } from '../../../test/fixtures/gpu/trees.ts'
import { amdTree, fdinfo, processes } from '../../../test/gpu/drm-machine.ts'
import { GpuCard, type GpuSource } from '../../sensors/gpu/gpu-card.ts'
import { fakeSystem } from '../../system/fake.ts'
import { NodeGpus } from './node-gpus.ts'

const cardOf = (index: number): GpuCard => {
  const card = new GpuCard({
    vendor: 'amd',
    index,
    id: `card${index}`,
    name: 'Radeon',
    source: 'amdgpu',
    parentId: null,
  })
  card.utilizationPercent = 50
  card.powerWatts = 100
  return card
}

/** Cards of a source that tells what a test has set. */
async function nodeWith(...cards: readonly GpuCard[]) {
  const system = fakeSystem({})
  const source: GpuSource = {
    name: 'amdgpu',
    cards,
    look: () => true,
    lookAtActivity: () => {},
    close: () => {},
  }
  const gpus = new NodeGpus(system, () => Promise.resolve([source]))
  await gpus.open()
  return { system, gpus }
}

describe('the energy of the cards of a node', () => {
  it('is that of their power over time, for the node, the card and its process', async () => {
    const card = cardOf(0)
    card.processes.add(7, 2 ** 30)
    const { system, gpus } = await nodeWith(card)
    system.advance(600)
    const { joules, gpuSeconds, devices, byPid } = gpus.round()
    expect([joules, devices[0]?.joules, byPid.get(7)?.joules]).toEqual([60_000, 60_000, 60_000])
    expect(gpuSeconds).toBeCloseTo(300, 6)
  })

  it('leaves out the power of a CPU package, which is not that of the card', async () => {
    const [part, own] = [cardOf(0), cardOf(1)]
    part.isInCpuPackage = true
    part.processes.add(7, 2 ** 30)
    own.processes.add(8, 2 ** 30)
    const { system, gpus } = await nodeWith(part, own)
    system.advance(600)
    const { joules, devices, byPid } = gpus.round()
    expect([joules, ...devices.map((device) => device.joules)]).toEqual([60_000, null, 60_000])
    expect(byPid.get(7)).toMatchObject({ joules: null, gpuSeconds: expect.closeTo(300, 6) })
    expect(byPid.get(8)?.joules).toBe(60_000)
  })

  it('is kept of a card that sleeps or fails by the end of the round', async () => {
    const [sleeper, failed] = [cardOf(0), cardOf(1)]
    const { system, gpus } = await nodeWith(sleeper, failed)
    system.advance(540)
    sleeper.sleep()
    failed.fail('it has fallen off the bus')
    system.advance(60)
    const { joules, cards, devices } = gpus.round()
    expect([joules, cards]).toEqual([108_000, 1])
    expect(devices).toMatchObject([
      { joules: 54_000, busySeconds: expect.closeTo(270, 6), memoryBytes: null },
      { joules: 54_000, busySeconds: expect.closeTo(270, 6), memoryBytes: null },
    ])
  })

  it('is not known where no card tells its power', async () => {
    const [sleeper, silent] = [cardOf(0), cardOf(1)]
    sleeper.sleep()
    silent.powerWatts = Number.NaN
    silent.processes.add(7, 2 ** 30)
    const { system, gpus } = await nodeWith(sleeper, silent)
    system.advance(600)
    const { joules, devices, byPid } = gpus.round()
    expect([joules, ...devices.map((device) => device.joules)]).toEqual([null, null, null])
    expect(byPid.get(7)?.joules).toBeNull()
  })
})

describe('the work of the cards of a node', () => {
  it('is not known of a process on a card that does not tell how busy it is', async () => {
    const instance = cardOf(0)
    instance.utilizationPercent = Number.NaN
    instance.processes.add(7, 2 ** 30)
    const { system, gpus } = await nodeWith(instance)
    system.advance(600)
    const { gpuSeconds, devices, byPid } = gpus.round()
    expect([gpuSeconds, devices[0]?.busySeconds, byPid.get(7)?.gpuSeconds]).toEqual([
      null,
      null,
      null,
    ])
  })

  it('is that of the cards that tell it, and of these at least something', async () => {
    const [silent, told] = [cardOf(0), cardOf(1)]
    silent.utilizationPercent = Number.NaN
    for (const card of [silent, told]) card.processes.add(7, 2 ** 30)
    const { system, gpus } = await nodeWith(silent, told)
    system.advance(600)
    const busy = gpus.round()
    expect([busy.gpuSeconds, busy.byPid.get(7)?.gpuSeconds]).toEqual([300, 300])
    told.utilizationPercent = 0
    system.advance(600)
    const idle = gpus.round()
    expect([idle.gpuSeconds, idle.byPid.get(7)?.gpuSeconds]).toEqual([null, null])
    expect(idle.devices.map(({ busySeconds }) => busySeconds)).toEqual([null, 0])
  })

  it('is not 0 of a card that slept for a moment and told nothing after that', async () => {
    const card = cardOf(0)
    card.sleep()
    const { system, gpus } = await nodeWith(card)
    system.advance(10)
    card.rouse()
    card.utilizationPercent = Number.NaN
    system.advance(50)
    const { gpuSeconds, devices } = gpus.round()
    expect([gpuSeconds, devices[0]?.busySeconds]).toEqual([null, null])
  })

  it('is not 0 of a card that could not be read for most of the round', async () => {
    const card = cardOf(0)
    card.utilizationPercent = 0
    const { system, gpus } = await nodeWith(card)
    system.advance(10)
    card.fail('it has fallen off the bus')
    system.advance(50)
    expect(gpus.round()).toMatchObject({ gpuSeconds: null, devices: [{ busySeconds: null }] })
  })

  it('is 0 of an idle card, also where it is left alone at some looks', async () => {
    const card = cardOf(0)
    card.utilizationPercent = 0
    const { system, gpus } = await nodeWith(card)
    system.advance(20)
    card.leaveAlone()
    system.advance(10)
    card.sleep()
    system.advance(30)
    expect(gpus.round()).toMatchObject({ gpuSeconds: 0, devices: [{ busySeconds: 0 }] })
  })
})

const device = '/sys/class/drm/card0/device'

describe('a card that is left alone when a round ends', () => {
  it('did in that round what it told before', async () => {
    const system = fakeSystem({
      files: {
        ...rx6900xt,
        [`${device}/gpu_busy_percent`]: '50\n',
        [`${device}/power/runtime_status`]: 'active\n',
        [`${device}/power/control`]: 'auto\n',
      },
    })
    const gpus = new NodeGpus(system)
    await gpus.open()
    system.advance(10)
    system.tree.set(`${device}/gpu_busy_percent`, '0\n')
    system.advance(10)
    system.advance(1)
    const { devices } = gpus.round()
    gpus.close()
    expect(devices).toMatchObject([{ busySeconds: 5, joules: 720, memoryBytes: null }])
  })

  it('is not known where it told nothing', async () => {
    const system = fakeSystem({ files: { ...rx6900xt, [`${device}/gpu_busy_percent`]: '' } })
    const gpus = new NodeGpus(system)
    await gpus.open()
    system.advance(10)
    const { devices } = gpus.round()
    gpus.close()
    expect(devices).toMatchObject([{ busySeconds: null, joules: 360 }])
  })
})

describe('who uses AMD’s and Intel’s cards', () => {
  /** One process on the first card that works for half of the time; `others`: what else is on the machine. */
  async function amdNode(others: Readonly<Record<string, string>>) {
    const system = fakeSystem({
      files: { ...amdTree, ...others, '/proc/7/fd/5': '/dev/dri/renderD128' },
    })
    const work = (gfxSeconds: number): void => {
      const engines = `drm-memory-vram:\t2048 KiB\ndrm-engine-gfx:\t${gfxSeconds * 1e9} ns\n`
      system.tree.set('/proc/7/fdinfo/5', fdinfo('0000:03:00.0', 1, engines))
    }
    work(1000)
    const gpus = new NodeGpus(system)
    await gpus.open()
    gpus.watch(processes(7, 8))
    for (let at = 1; at <= 7; at += 1) {
      system.advance(10)
      work(1000 + at * 5)
    }
    const round = gpus.round()
    gpus.close()
    return { round }
  }

  it('is told by the open files of all processes of the node', async () => {
    const { round } = await amdNode({ '/proc/1/fd/0': '/dev/null' })
    const use = round.byPid.get(7)
    // At the first look nothing is known of what it had done just before.
    expect(use?.gpuSeconds).toBeCloseTo(30, 6)
    expect(use).toMatchObject({ memoryBytes: 2048 * 1024 })
    expect([use?.cards.size, round.byPid.has(8)]).toEqual([1, false])
    expect(round.gpuSeconds).not.toBeNull()
  })

  it('is not known to an agent that may not list the open files of others', async () => {
    const { round } = await amdNode({})
    expect(round.gpuSeconds).toBeNull()
    const open = new NodeGpus(fakeSystem({ files: rx6900xt }))
    await open.open()
    expect(open.whyUnlisted).toMatch(/which only root can list$/)
    open.close()
  })

  it('is not known where a tool tells of the cards, which says nothing of processes', async () => {
    const card = cardOf(0)
    card.processes.loss = 'rocm-smi does not tell of processes'
    const { system, gpus } = await nodeWith(card)
    system.advance(60)
    expect(gpus.whyUnlisted).toBe('rocm-smi does not tell of processes')
    const { gpuSeconds, devices } = gpus.round()
    expect([gpuSeconds, devices[0]?.busySeconds]).toEqual([null, expect.closeTo(30, 6)])
  })

  it('divides what the card did among those that compute by ROCm, which is not told of each', async () => {
    const card = cardOf(0)
    card.processes.listsAll = false
    for (const pid of [7, 8, 9]) card.processes.add(pid, 2 ** 20)
    card.processes.utilizationPercent = [10, Number.NaN, Number.NaN]
    const { system, gpus } = await nodeWith(card)
    system.advance(100)
    const { byPid } = gpus.round()
    const seconds = [7, 8, 9].map((pid) => Math.round(byPid.get(pid)?.gpuSeconds ?? Number.NaN))
    expect(seconds).toEqual([10, 20, 20])
    expect(byPid.get(7)?.joules).toBeCloseTo(2000, 6)
  })
})
