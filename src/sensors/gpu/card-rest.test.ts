import { describe, expect, it } from 'vitest'
import { b580, rx6900xt } from '../../../test/fixtures/gpu/trees.ts'
import { drm, fdinfo, openCards, processes } from '../../../test/gpu/drm-machine.ts'
import { fakeSystem } from '../../system/fake.ts'

describe('a card that the kernel puts to sleep', () => {
  const device = `${drm}/card0/device`
  const [status, busy] = [`${device}/power/runtime_status`, `${device}/gpu_busy_percent`]
  const managed = {
    ...rx6900xt,
    [busy]: '0\n',
    [status]: 'active\n',
    [`${device}/power/control`]: 'auto\n',
    [`${device}/power/autosuspend_delay_ms`]: '5000\n',
    [`${device}/drm/card0/dev`]: '226:0\n',
    [`${device}/drm/renderD128/dev`]: '226:128\n',
  }

  /** What wakes a card, or keeps it awake, is in `read`. */
  const watching = (tree: Readonly<Record<string, string>>, vendor: 'amd' | 'intel' = 'amd') => {
    const machine = fakeSystem({ files: { ...tree, '/proc/7/fd/5': '/dev/dri/renderD128' } })
    const read: string[] = []
    const { files } = machine
    const readText: typeof files.readText = (path) => {
      if (path.startsWith('/proc/7/') || /_(input|average|percent|freq)$/.test(path))
        read.push(path)
      return files.readText(path)
    }
    const source = openCards({ ...machine, files: { ...files, readText } }, vendor)
    const look = (seconds: number): boolean => {
      read.length = 0
      machine.advance(seconds)
      source.look(true)
      return read.length > 0
    }
    return { machine, source, read, look, card: source.cards[0] }
  }
  const idleClient = fdinfo('0000:0b:00.0', 1, 'drm-memory-vram:\t0 KiB\n')
  const usedClient = fdinfo('0000:0b:00.0', 1, 'drm-engine-gfx:\t10 ns\n')

  it('is not read while it sleeps: it does nothing, and the rest is not known', () => {
    const { machine, source, look, card } = watching({ ...managed, [busy]: '40\n' })
    machine.tree.set('/proc/7/fdinfo/5', usedClient)
    source.watch(processes(7))
    expect(look(0)).toBe(true)
    expect(card).toMatchObject({ isAsleep: false, utilizationPercent: 40, powerWatts: 36 })
    machine.tree.set(status, 'suspended\n')
    expect(look(1)).toBe(false)
    expect(card).toMatchObject({
      isAsleep: true,
      failure: null,
      utilizationPercent: 0,
      memoryUsedBytes: Number.NaN,
      memoryTotalBytes: 17_163_091_968,
      temperatureCelsius: Number.NaN,
      powerWatts: Number.NaN,
      clockMegahertz: Number.NaN,
    })
    // Who held it holds it still.
    expect(card?.processes).toMatchObject({ count: 1, pids: [7], utilizationPercent: [0] })
    machine.tree.set(status, 'active\n')
    expect(look(1)).toBe(true)
    expect(card).toMatchObject({ isAsleep: false, utilizationPercent: 40, powerWatts: 36 })
  })

  it('is not woken to be found', () => {
    const { read, look } = watching({ ...managed, [status]: 'suspended\n' })
    expect(read).toEqual([])
    expect(look(1)).toBe(false)
  })

  it('is left alone while it is idle, for as long as it takes to fall asleep', () => {
    const { machine, look, card } = watching(managed)
    expect([0, 1, 1, 1, 1, 1].map((seconds) => look(seconds))).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ])
    // What it does meanwhile nobody knows.
    expect(card).toMatchObject({
      isAsleep: false,
      isLeftAlone: true,
      utilizationPercent: Number.NaN,
      powerWatts: Number.NaN,
    })
    machine.tree.set(status, 'suspended\n')
    expect(look(1)).toBe(false)
    expect(card?.isAsleep).toBe(true)
  })

  it('is read again where others keep it awake, and tried again after a minute', () => {
    const { look } = watching(managed)
    const looks = Array.from({ length: 80 }, () => look(1))
    expect(looks.slice(0, 8)).toEqual([true, ...Array<boolean>(6).fill(false), true])
    expect(looks.slice(8, 60)).not.toContain(false)
    expect(looks.slice(60)).toContain(false)
  })

  it('is read at every look while it works, or while a process of a job is on it', () => {
    const working = watching({ ...managed, [busy]: '3\n' })
    expect(Array.from({ length: 10 }, () => working.look(1))).not.toContain(false)
    const { machine, source, look } = watching(managed)
    machine.tree.set('/proc/7/fdinfo/5', usedClient)
    source.watch(processes(7))
    expect(Array.from({ length: 10 }, () => look(1))).not.toContain(false)
  })

  it('is read at every look where it may not sleep', () => {
    const { look } = watching({ ...managed, [`${device}/power/control`]: 'on\n' })
    expect(Array.from({ length: 10 }, () => look(1))).not.toContain(false)
  })

  it.each([
    ['an hour', '3600000'],
    ['for ever', '-1'],
  ])('is read at every look where its kernel waits %s before it puts it to sleep', (_, delay) => {
    const { look } = watching({
      ...managed,
      [`${device}/power/autosuspend_delay_ms`]: `${delay}\n`,
    })
    expect(Array.from({ length: 80 }, () => look(1))).not.toContain(false)
  })

  it('is left alone for a moment where its kernel puts it to sleep at once', () => {
    const { look } = watching({ ...managed, [`${device}/power/autosuspend_delay_ms`]: '0\n' })
    expect([0, 0.5, 1].map((seconds) => look(seconds))).toEqual([true, false, true])
  })

  const xe = `${drm}/card1/device`
  const intel = {
    ...b580,
    [`${xe}/power/runtime_status`]: 'active\n',
    [`${xe}/power/control`]: 'auto\n',
    [`${xe}/drm/renderD128/dev`]: '226:128\n',
  }

  it.each(['amdgpu', 'xe'])('is not kept awake by a process that only opened it: %s', (driver) => {
    const { machine, source, read, look, card } =
      driver === 'xe' ? watching(intel, 'intel') : watching(managed)
    machine.tree.set('/proc/7/fdinfo/5', idleClient)
    source.watch(processes(7))
    look(0)
    look(1)
    // Of these two, xe alone wakes a card to tell of a process.
    expect(read).toEqual(driver === 'xe' ? [] : ['/proc/7/fdinfo/5'])
    expect(card?.processes.unseenPids).toEqual(new Set(driver === 'xe' ? [7] : []))
  })

  it('is asked of by a process that opened it while it was left alone, until that works', () => {
    const { machine, source, read, look, card } = watching(intel, 'intel')
    look(0)
    look(1)
    machine.tree.set('/proc/7/fdinfo/5', idleClient)
    source.watch(processes(7))
    for (let second = 0; second < 2; second++) {
      look(1)
      expect(read).toEqual(['/proc/7/fdinfo/5'])
      expect(card).toMatchObject({ isLeftAlone: true, processes: { count: 0 } })
    }
    machine.tree.set('/proc/7/fdinfo/5', usedClient)
    look(1)
    expect(card).toMatchObject({ isLeftAlone: true, processes: { count: 1 } })
    look(1)
    expect(card?.isLeftAlone).toBe(false)
  })

  it('tells when it wakes what was done on it before it fell asleep', () => {
    const { machine, source, look, card } = watching(intel, 'intel')
    // The clock of its cycles stands while it sleeps.
    const worked = (seconds: number, awake: number): void => {
      const compute = `drm-cycles-ccs:\t${seconds * 1000}\ndrm-total-cycles-ccs:\t${awake * 1000}\n`
      machine.tree.set('/proc/7/fdinfo/5', fdinfo('0000:0b:00.0', 1, compute))
    }
    worked(0, 1)
    source.watch(processes(7))
    look(0)
    look(1)
    worked(1, 3)
    machine.tree.set(`${xe}/power/runtime_status`, 'suspended\n')
    look(1)
    look(7)
    machine.tree.set(`${xe}/power/runtime_status`, 'active\n')
    look(1)
    expect(card?.processes.utilizationPercent[0]).toBeCloseTo(50)
    expect(card?.processes.lateBusySeconds.get(7)).toBeCloseTo(0.5)
  })

  it('is not asked of by its processes where it is of another vendor', () => {
    const { machine, source, read, look } = watching(managed)
    machine.tree.set('/proc/7/fd/6', '/dev/dri/renderD129')
    machine.tree.set('/proc/7/fdinfo/6', fdinfo('0000:00:02.0', 1, 'drm-engine-render:\t1 ns\n'))
    source.watch(processes(7))
    look(0)
    expect(read).not.toContain('/proc/7/fdinfo/6')
  })
})
