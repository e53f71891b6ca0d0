import { describe, expect, it } from 'vitest'
import { a380, vega56 } from '../../../test/fixtures/gpu/trees.ts'
import {
  amdTree,
  fdinfo,
  kfd,
  openCards,
  processes,
  rocmProcess,
} from '../../../test/gpu/drm-machine.ts'
import { fakeSystem, type FakeSystem } from '../../system/fake.ts'

describe('AMD cards, of processes,', () => {
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
    const source = openCards(system, 'amd')
    const unwatch = source.watch(processes(7))
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
    system.advance(1)
    source.look(true)
    expect(first?.processes.count).toBe(0)
  })

  it('do not tell how busy a process kept them that computes by ROCm', () => {
    const system = fakeSystem({ files: { ...amdTree, ...rocmProcess } })
    const source = openCards(system, 'amd')
    source.watch(processes(7))
    source.look(true)
    expect(source.cards[1]?.processes.utilizationPercent[0]).toBeNaN()
    expect(source.cards[1]?.processes.memoryBytes[0]).toBe(76 * 1024)
  })

  it('have the memory of a process that computes by ROCm from the driver for that', () => {
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
    const source = openCards(system, 'amd')
    source.watch(processes(7))
    source.look(true)
    const [other, own] = source.cards
    // It opens every card there is, whether it uses it or not.
    expect(other?.processes.count).toBe(0)
    expect(own?.processes).toMatchObject({ count: 1 })
    expect(own?.processes.memoryBytes[0]).toBe(2_040_110_465)
    expect(own?.processes.utilizationPercent[0]).toBeNaN()
  })

  it('do not have it in a container, where that driver names processes by numbers of the host', () => {
    const system = fakeSystem({
      files: {
        ...amdTree,
        ...rocmProcess,
        '/proc/self/ns/pid': 'pid:[4026532000]',
        [`${kfd}/topology/nodes/1/gpu_id`]: '51545\n',
        [`${kfd}/topology/nodes/1/properties`]: 'simd_count 304\nlocation_id 17152\ndomain 0\n',
        // Of another process, which is the seventh of the host.
        [`${kfd}/proc/7/vram_51545`]: '2040109465\n',
      },
    })
    const source = openCards(system, 'amd')
    source.watch(processes(7))
    source.look(true)
    const own = source.cards[1]?.processes
    expect(own).toMatchObject({ count: 1, memoryLoss: expect.stringContaining('pids of the host') })
    expect(own?.memoryBytes[0]).toBeNaN()
  })

  it('have nothing of what a process does on a card of another vendor', () => {
    const intel = fdinfo('0000:00:02.0', 1, 'drm-engine-render:\t500 ns\n')
    const system = fakeSystem({
      files: { ...vega56, '/proc/7/fd/5': '/dev/dri/renderD128', '/proc/7/fdinfo/5': intel },
    })
    const source = openCards(system, 'amd')
    source.watch(processes(7))
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
    const source = openCards(system, 'amd')
    source.watch(processes(7, 8))
    source.look(true)
    expect(source.cards[0]?.processes).toMatchObject({ count: 2, pids: [7, 8] })
    expect(source.cards[0]?.processes.memoryBytes).toEqual([2048 * 1024, 1024 * 1024])
  })
})

describe('Intel cards, of processes,', () => {
  it('are not used by a process that has only opened them, until it works there', () => {
    const system = fakeSystem({ files: { ...a380, '/proc/7/fd/5': '/dev/dri/renderD128' } })
    const tell = (seconds: number): void => {
      const idle = 'drm-total-local0:\t0\ndrm-resident-local0:\t0\ndrm-engine-copy:\t0 ns\n'
      const compute = `drm-engine-compute:\t${seconds * 1e9} ns\n`
      system.tree.set('/proc/7/fdinfo/5', fdinfo('0000:0b:00.0', 1, `${idle}${compute}`))
    }
    tell(0)
    const source = openCards(system, 'intel')
    source.watch(processes(7))
    source.look(true)
    expect(source.cards[0]?.processes.count).toBe(0)
    tell(1)
    system.advance(2)
    source.look(false)
    expect(source.cards[0]).toMatchObject({ utilizationPercent: 50, processes: { count: 1 } })
  })
})

describe('a card that a process opens late', () => {
  const opened = {
    '/proc/7/fd/5': '/dev/dri/renderD128',
    '/proc/7/fdinfo/5': fdinfo('0000:03:00.0', 1, 'drm-memory-vram:\t2048 KiB\n'),
  }

  /** After two looks at a process without a card; what was asked of its files since is in `asked`. */
  const watching = (change: Partial<FakeSystem['files']> = {}) => {
    const machine = fakeSystem({ files: { ...amdTree, '/proc/7/fd/0': '/dev/null' } })
    const asked: string[] = []
    const noting =
      <T>(ask: (path: string) => T) =>
      (path: string): T => {
        if (path.startsWith('/proc/7/')) asked.push(path)
        return ask(path)
      }
    const { files } = machine
    const directorySize = noting(change.directorySize ?? files.directorySize)
    const [list, readLink] = [noting(files.list), noting(files.readLink)]
    const system = { ...machine, files: { ...files, directorySize, list, readLink } }
    const source = openCards(system, 'amd')
    const job = processes(7)
    source.watch(job)
    const look = (seconds: number): number => {
      machine.advance(seconds)
      source.look(false)
      return source.cards[0]?.processes.count ?? 0
    }
    const run = (): void =>
      void job.set(7, {
        startTicks: 0,
        userTicks: 1,
        systemTicks: 1,
        minorFaults: (job.get(7)?.minorFaults ?? 0) + 1,
      })
    look(0)
    look(1)
    asked.length = 0
    return { machine, source, asked, look, run }
  }
  const add = ({ tree }: FakeSystem, files: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(files)) tree.set(path, text)
  }

  it('is seen at the next look', () => {
    const { machine, look, run } = watching()
    add(machine, opened)
    run()
    expect(look(1)).toBe(1)
  })

  it('has all work of the process since, and no more than there was time for', () => {
    const { machine, look, run, source } = watching()
    const work = (seconds: number): number | undefined => {
      const gfx = `drm-engine-gfx:\t${seconds * 1e9} ns\n`
      add(machine, { ...opened, '/proc/7/fdinfo/5': fdinfo('0000:03:00.0', 1, gfx) })
      run()
      look(1)
      return source.cards[0]?.processes.utilizationPercent[0]
    }
    expect(work(0.4)).toBeCloseTo(40)
    expect(work(1)).toBeCloseTo(60)
    machine.tree.delete('/proc/7/fd/5')
    run()
    look(1)
    expect(work(9)).toBe(100)
  })

  it('has its work over all the time in which it may have been open unseen', () => {
    const { machine, look, run, source } = watching()
    machine.tree.delete('/proc/7/fd/0')
    let tenths = 0
    const work = (more: number): number | undefined => {
      tenths += more
      const gfx = `drm-engine-gfx:\t${tenths * 1e8} ns\n`
      add(machine, { ...opened, '/proc/7/fdinfo/5': fdinfo('0000:03:00.0', 1, gfx) })
      run()
      return look(1) === 0 ? undefined : source.cards[0]?.processes.utilizationPercent[0]
    }
    const told = Array.from({ length: 12 }, () => work(2)).filter((each) => each !== undefined)
    expect(told.length).toBeGreaterThan(1)
    for (const each of told) expect(each).toBeCloseTo(20)
  })

  it('has its work over the time since the count of open files was as before', () => {
    const { machine, look, run, source } = watching()
    for (let second = 0; second < 8; second++) {
      run()
      look(1)
    }
    const gfx = 'drm-engine-gfx:\t900000000 ns\n'
    add(machine, { ...opened, '/proc/7/fdinfo/5': fdinfo('0000:03:00.0', 1, gfx) })
    run()
    look(1)
    expect(source.cards[0]?.processes.utilizationPercent[0]).toBeCloseTo(90)
  })

  it('has its work over the time since the process last stood still', () => {
    const { machine, look, run, source } = watching()
    for (let second = 0; second < 60; second++) look(1)
    machine.tree.delete('/proc/7/fd/0')
    const gfx = 'drm-engine-gfx:\t4000000000 ns\n'
    add(machine, { ...opened, '/proc/7/fdinfo/5': fdinfo('0000:03:00.0', 1, gfx) })
    run()
    while (look(1) === 0);
    expect(source.cards[0]?.processes.utilizationPercent[0]).toBeCloseTo(40)
  })

  it('is not one that a child has from its parent and keeps when that ends', () => {
    const system = fakeSystem({ files: { ...amdTree } })
    const source = openCards(system, 'amd')
    const job = processes(7, 8)
    source.watch(job)
    const look = (seconds: number, faults: number): number | undefined => {
      const gfx = `drm-engine-gfx:\t${seconds * 1e9} ns\n`
      for (const pid of [7, 8]) {
        system.tree.set(`/proc/${pid}/fd/5`, '/dev/dri/renderD128')
        system.tree.set(`/proc/${pid}/fd/${faults}`, '/dev/null')
        system.tree.set(`/proc/${pid}/fdinfo/5`, fdinfo('0000:03:00.0', 1, gfx))
        if (job.has(pid))
          job.set(pid, { startTicks: 0, userTicks: 1, systemTicks: 1, minorFaults: faults })
      }
      system.advance(1)
      source.look(false)
      return source.cards[0]?.processes.utilizationPercent[0]
    }
    look(50, 100)
    expect(look(50.25, 101)).toBeCloseTo(25)
    job.delete(7)
    expect(look(50.5, 102)).toBeCloseTo(25)
  })

  it('is not one that a new child has from its parent, which has ended', () => {
    const system = fakeSystem({ files: { ...amdTree } })
    const source = openCards(system, 'amd')
    const job = processes(7)
    source.watch(job)
    const work = (pid: number, seconds: number): void => {
      const gfx = `drm-engine-gfx:\t${seconds * 1e9} ns\n`
      system.tree.set(`/proc/${pid}/fd/5`, '/dev/dri/renderD128')
      system.tree.set(`/proc/${pid}/fdinfo/5`, fdinfo('0000:03:00.0', 1, gfx))
    }
    work(7, 50)
    source.look(false)
    system.advance(1)
    job.delete(7)
    job.set(8, { startTicks: 50, userTicks: 1, systemTicks: 1, minorFaults: 80 })
    work(8, 50.25)
    source.look(false)
    expect(source.cards[0]?.processes).toMatchObject({ count: 1, pids: [8] })
    expect(source.cards[0]?.processes.utilizationPercent[0]).toBeCloseTo(25)
  })

  it('is seen at the next look where the kernel does not count open files', () => {
    const { machine, look, run } = watching({ directorySize: () => 0 })
    add(machine, opened)
    run()
    expect(look(1)).toBe(1)
  })

  it('is found soon after where it took the place of another file', () => {
    const { machine, look, run } = watching()
    machine.tree.delete('/proc/7/fd/0')
    add(machine, opened)
    run()
    const looks = Array.from({ length: 10 }, () => look(1))
    expect(looks.at(-1)).toBe(1)
  })

  it('is not looked for in a process that has not run', () => {
    const { asked, look } = watching()
    for (let second = 0; second < 30; second++) look(1)
    expect(asked).toEqual([])
  })

  it('is looked for by one question where a process runs and opens nothing', () => {
    const { asked, look, run } = watching()
    run()
    look(1)
    expect(asked).toEqual(['/proc/7/fd'])
  })

  it('is not looked for more often than twice a second', () => {
    const { asked, look, run } = watching()
    for (let nth = 0; nth < 10; nth++) {
      run()
      look(0.2)
    }
    expect(asked.length).toBeLessThanOrEqual(4)
  })
})

describe('a process that has a card open when it is first seen', () => {
  /** The card is looked at after one second and after two; the process is there at the second look, and has worked for 0.9 s. */
  const seenOnce = (startTicks: number) => {
    const system = fakeSystem({ files: { ...amdTree } })
    const source = openCards(system, 'amd')
    const job = processes()
    source.watch(job)
    system.advance(1)
    source.look(false)
    job.set(7, { startTicks, userTicks: 1, systemTicks: 1, minorFaults: 80 })
    system.tree.set('/proc/7/fd/5', '/dev/dri/renderD128')
    const gfx = 'drm-engine-gfx:\t900000000 ns\n'
    system.tree.set('/proc/7/fdinfo/5', fdinfo('0000:03:00.0', 1, gfx))
    system.advance(1)
    source.look(false)
    return source.cards[0]?.processes
  }

  it('did all of its work since the last look, if it began after that', () => {
    const told = seenOnce(105)
    expect(told?.utilizationPercent[0]).toBeCloseTo(90)
    expect(told?.untoldPids.size).toBe(0)
  })

  it('does not tell what it did since, if it is older', () => {
    expect([...(seenOnce(50)?.untoldPids ?? [])]).toEqual([7])
  })
})
