import { describe, expect, it } from 'vitest'
import { fakeSystem, type FakeSystem } from '../system/fake.ts'
import { failed, ok } from '../model/reading.ts'
import { JobCgroups, type JobCgroup } from './job-cgroup.ts'

interface Made {
  readonly system: FakeSystem
  readonly cgroups: JobCgroups
  /** Cgroups in which processes live. */
  readonly occupied: Set<string>
}

interface Trees {
  /** Where we stand, as /proc/self/cgroup has it. */
  readonly membership: string
  readonly mounts: string
  /** Cgroups that are there and ours to write to. */
  readonly writable: readonly string[]
  /** Cgroups that are there and not ours. */
  readonly closed?: readonly string[]
}

const v2Mount = '30 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n'
const v1Mounts =
  '31 1 0:27 / /cg/memory rw - cgroup cgroup rw,memory\n' +
  '32 1 0:28 / /cg/cpuacct rw - cgroup cgroup rw,cpuacct\n'

/** A machine on which making a cgroup makes its files, as the kernel does. */
function machine({ membership, mounts, writable, closed = [] }: Trees): Made {
  const system = fakeSystem({
    files: { '/proc/self/cgroup': membership, '/proc/self/mountinfo': mounts },
  })
  const occupied = new Set<string>()
  const isOurs = new Set(writable.map((place) => `${place}/cgroup.procs`))
  for (const place of [...writable, ...closed]) {
    system.tree.set(`${place}/cgroup.procs`, '')
    if (place.startsWith('/cg/')) system.tree.set(`${place}/tasks`, '')
  }
  const { files } = system
  const kernel: FakeSystem = {
    ...system,
    files: {
      ...files,
      isWritable: (path) => isOurs.has(path),
      makeDirectory(path) {
        const made = files.makeDirectory(path)
        for (const name of [
          'cgroup.procs',
          'tasks',
          'memory.max',
          'cgroup.kill',
          'memory.limit_in_bytes',
        ]) {
          if (made.kind === 'ok') system.tree.set(`${path}/${name}`, '')
          isOurs.add(`${path}/${name}`)
        }
        return made
      },
      removeDirectory(path) {
        if (occupied.has(path)) return failed(`${path}: EBUSY`)
        for (const file of system.tree.keys())
          if (file.startsWith(`${path}/`)) system.tree.delete(file)
        return files.removeDirectory(path)
      },
    },
  }
  return { system: kernel, cgroups: new JobCgroups(kernel), occupied }
}

function make(of: Made): JobCgroup {
  const made = of.cgroups.make()
  if (made.kind !== 'ok') throw new Error(`none was made: ${JSON.stringify(made)}`)
  return made.value
}

const pureV2 = { membership: '0::/user/session\n', mounts: v2Mount }
const home = '/sys/fs/cgroup/user/session'

const onlyV1: Trees = {
  membership: '4:memory:/a\n5:cpuacct:/a\n',
  mounts: v1Mounts,
  writable: ['/cg/memory/a', '/cg/cpuacct/a'],
}
const hybrid: Trees = {
  membership: `${onlyV1.membership}0::/\n`,
  mounts: onlyV1.mounts + v2Mount,
  writable: [...onlyV1.writable, '/sys/fs/cgroup'],
}

describe('making a cgroup for a job', () => {
  it('puts it beside us, for a cgroup with processes may not give controllers to its children', () => {
    const made = machine({ ...pureV2, writable: [home, '/sys/fs/cgroup/user'] })
    expect(make(made)).toMatchObject({
      v2: '/sys/fs/cgroup/user/jobmeter-1-1-0-00000000',
      inUse: true,
    })
    expect(make(made).v2).toBe('/sys/fs/cgroup/user/jobmeter-1-2-0-00000000')
  })

  it('puts it below us where what is above is not ours, and at the top', () => {
    const delegated = machine({ ...pureV2, writable: [home], closed: ['/sys/fs/cgroup/user'] })
    expect(make(delegated).v2).toBe(`${home}/jobmeter-1-1-0-00000000`)
    const top = machine({ membership: '0::/\n', mounts: v2Mount, writable: ['/sys/fs/cgroup'] })
    expect(make(top).v2).toBe('/sys/fs/cgroup/jobmeter-1-1-0-00000000')
  })

  it('takes CPU and memory from v1 where it has both, and memory where it has that', () => {
    const v1 = make(machine(onlyV1))
    expect(v1).toMatchObject({ v2: null, joinsLater: false })
    expect(Object.fromEntries(v1.v1)).toEqual({
      memory: '/cg/memory/a/jobmeter-1-1-0-00000000',
      cpuacct: '/cg/cpuacct/a/jobmeter-1-1-0-00000000',
    })
    const withoutCpu = make(
      machine({
        membership: '4:memory:/a\n0::/\n',
        mounts: v1Mounts + v2Mount,
        writable: ['/cg/memory/a', '/sys/fs/cgroup'],
      }),
    )
    expect(withoutCpu).toMatchObject({
      v2: '/sys/fs/cgroup/jobmeter-1-1-0-00000000',
      joinsLater: false,
    })
    expect([...withoutCpu.v1.keys()]).toEqual(['memory'])
  })

  it('says why there is none', () => {
    const closed = machine({ ...pureV2, writable: [], closed: [home, '/sys/fs/cgroup/user'] })
    expect(closed.cgroups.make()).toEqual({
      kind: 'unavailable',
      why: expect.stringContaining('no cgroup can be created here'),
    })
    const none = new JobCgroups(fakeSystem())
    expect(none.make()).toMatchObject({ kind: 'unavailable', why: expect.stringMatching(/./) })
  })
})

describe('a cgroup of a job', () => {
  const places = { ...pureV2, writable: [home, '/sys/fs/cgroup/user'] }
  const directory = '/sys/fs/cgroup/user/jobmeter-1-1-0-00000000'

  it('has the job start inside, and us out again whatever happens', () => {
    const made = machine(places)
    const cgroup = make(made)
    const seen = () => made.system.written.map(({ path, text }) => `${path} ${text}`)
    const inside = `${directory}/cgroup.procs 1`
    const back = `${home}/cgroup.procs 1`
    expect(cgroup.startInside(seen)).toEqual([inside])
    expect(seen()).toEqual([inside, back])
    expect(() =>
      cgroup.startInside(() => {
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(seen()).toEqual([inside, back, inside, back])
  })

  it('keeps account of what we used inside', () => {
    const made = machine(places)
    let cpuSeconds = 5
    const system = {
      ...made.system,
      processes: { ...made.system.processes, ownCpuSeconds: () => (cpuSeconds += 0.25) },
    }
    const cgroup = new JobCgroups(system).make()
    if (cgroup.kind === 'ok') cgroup.value.startInside(() => {})
    expect(cgroup).toMatchObject({ value: { launcherCpuSeconds: 0.25 } })
  })

  it('has the kernel place the job where it can, and does it from inside where that fails', () => {
    const made = machine(places)
    const processes = { ...made.system.processes, spawnsIntoCgroups: true, ownCpuSeconds: () => 5 }
    const cgroup = new JobCgroups({ ...made.system, processes }).make()
    if (cgroup.kind !== 'ok') throw new Error(cgroup.kind)
    expect(cgroup.value.startInside((into) => into)).toBe(directory)
    expect(made.system.written).toEqual([])
    expect(cgroup.value.launcherCpuSeconds).toBe(0)
    const tries: (string | undefined)[] = []
    const start = (into?: string) => tries.push(into)
    cgroup.value.startInside(start, () => tries.length > 1)
    expect(tries).toEqual([directory, undefined])
    expect(made.system.written.map(({ path }) => path)).toEqual([
      `${directory}/cgroup.procs`,
      `${home}/cgroup.procs`,
    ])
  })

  it('is given up where we cannot go in', () => {
    const made = machine(places)
    const cgroup = make(made)
    made.system.tree.delete(`${directory}/cgroup.procs`)
    expect(cgroup.startInside(() => 'started')).toBe('started')
    expect(cgroup).toMatchObject({ inUse: false, v2: null })
    expect(made.system.written).toEqual([])
  })

  it('limits memory where it has a controller for it', () => {
    const v2 = machine(places)
    expect(make(v2).limitMemory(1000).kind).toBe('ok')
    expect(v2.system.written).toEqual([{ path: `${directory}/memory.max`, text: '1000' }])
    const v1 = machine({
      membership: '4:memory:/a\n',
      mounts: v1Mounts,
      writable: ['/cg/memory/a'],
    })
    expect(make(v1).limitMemory(1000).kind).toBe('ok')
    expect(v1.system.written).toEqual([
      { path: '/cg/memory/a/jobmeter-1-1-0-00000000/memory.limit_in_bytes', text: '1000' },
    ])
    const withoutMemory = machine({
      membership: '5:cpuacct:/a\n',
      mounts: v1Mounts,
      writable: ['/cg/cpuacct/a'],
    })
    expect(make(withoutMemory).limitMemory(1000).kind).toBe('unavailable')
  })

  it('kills all inside where the kernel can', () => {
    const made = machine(places)
    const cgroup = make(made)
    expect(cgroup.kill()).toBe(true)
    made.system.tree.delete(`${directory}/cgroup.kill`)
    expect(cgroup.kill()).toBe(false)
  })

  it('is removed, with empty ones of jobmeters that are gone', () => {
    const made = machine(places)
    const { system } = made
    system.tree.set('/proc/55/stat', '55 (jobmeter) S')
    const others = ['jobmeter-44-1', 'jobmeter-44-2', 'jobmeter-55-1', 'jobmeter-test', 'jobmeter-']
    for (const name of others) system.files.makeDirectory(`/sys/fs/cgroup/user/${name}`)
    made.occupied.add('/sys/fs/cgroup/user/jobmeter-44-2')
    const cgroup = make(made)
    const other = make(made)
    cgroup.remove()
    cgroup.removeLeftovers()
    const left = system.files.list('/sys/fs/cgroup/user')
    // 44 is gone but one of its jobs lives on; 55 lives; the rest are not of our making.
    expect(
      left.kind === 'ok' ? left.value.filter((name) => name !== 'session').toSorted() : left,
    ).toEqual(
      [
        'cgroup.procs',
        'jobmeter-',
        other.v2?.split('/').at(-1) ?? '',
        'jobmeter-44-2',
        'jobmeter-55-1',
        'jobmeter-test',
      ].toSorted(),
    )
  })
})

describe('cgroups of another pid namespace', () => {
  const parent = '/sys/fs/cgroup/user'
  const nowSeconds = 1_000_000

  /** `ages`: of what is there already, in seconds. */
  function namespaced(ages: Readonly<Record<string, number>>) {
    const made = machine({ ...pureV2, writable: [parent, home] })
    const { system } = made
    system.tree.set('/proc/55/stat', '55 (jobmeter) S')
    for (const name of Object.keys(ages)) system.files.makeDirectory(`${parent}/${name}`)
    const kernel = {
      ...system,
      clock: { ...system.clock, wallSeconds: () => nowSeconds },
      files: {
        ...system.files,
        readLink: (path: string) =>
          path === '/proc/self/ns/pid' ? ok('pid:[17]') : system.files.readLink(path),
        fingerprint: (path: string) => {
          const age = ages[path.slice(parent.length + 1)] ?? 0
          return ok({ sizeBytes: 0, modifiedSeconds: nowSeconds - age, hash: null })
        },
      },
    }
    const cgroup = new JobCgroups(kernel).make()
    if (cgroup.kind !== 'ok') throw new Error(cgroup.kind)
    return { made, cgroup: cgroup.value }
  }

  it('go once they are empty and not new, whoever has their pid here', () => {
    // 55 lives here, and 1 is us.
    const old = ['jobmeter-55-1-16-0a0b0c0d', 'jobmeter-1-1-16-0a0b0c0d']
    const kept = ['jobmeter-55-2-16-0a0b0c0e', 'jobmeter-55-1-17-0a0b0c0d']
    const { made, cgroup } = namespaced({
      ...Object.fromEntries(old.map((name) => [name, 61])),
      'jobmeter-55-2-16-0a0b0c0e': 30,
      'jobmeter-55-1-17-0a0b0c0d': 9999,
    })
    expect(cgroup.v2).toMatch(/\/jobmeter-1-1-17-[\da-f]{8}$/)
    cgroup.removeLeftovers()
    for (const name of old) expect(made.system.files.list(`${parent}/${name}`).kind).not.toBe('ok')
    for (const name of kept) expect(made.system.files.list(`${parent}/${name}`).kind).toBe('ok')
  })
})

describe('a cgroup of a job where v1 and v2 stand side by side', () => {
  const inV1 = '/cg/cpuacct/a/jobmeter-1-1-0-00000000'
  const inV2 = '/sys/fs/cgroup/jobmeter-1-1-0-00000000'

  /** Has the kernel show the processes in v1, and in v2 those that were moved there. */
  function withMembers(made: Made, pids: readonly string[], refuses: readonly string[] = []) {
    const { system } = made
    const { files } = system
    const moved: string[] = []
    const listed = (all: readonly string[]) => all.map((pid) => `${pid}\n`).join('')
    const kernel = {
      ...system,
      files: {
        ...files,
        readText: (path: string) => {
          if (path === `${inV1}/cgroup.procs`) return ok(listed(pids))
          return path === `${inV2}/cgroup.procs` ? ok(listed(moved)) : files.readText(path)
        },
        writeEach: (path: string, texts: readonly string[]) => {
          if (path === `${inV2}/cgroup.procs`)
            moved.push(...texts.filter((text) => !refuses.includes(text)))
          else files.writeEach(path, texts)
        },
      },
    }
    const cgroup = new JobCgroups(kernel).make()
    if (cgroup.kind !== 'ok') throw new Error(cgroup.kind)
    return { cgroup: cgroup.value, moved }
  }

  it('has the job start in v1, by the one thread that starts it', () => {
    const made = machine(hybrid)
    const cgroup = make(made)
    expect(cgroup).toMatchObject({ v2: null, joinsLater: true, inUse: true })
    cgroup.startInside(() => {})
    expect(made.system.written.map(({ path, text }) => `${path} ${text}`)).toEqual([
      `${inV1}/tasks 0`,
      '/cg/memory/a/jobmeter-1-1-0-00000000/tasks 0',
      '/cg/cpuacct/a/tasks 0',
      '/cg/memory/a/tasks 0',
    ])
  })

  it('counts only what that thread used inside', () => {
    const made = machine(hybrid)
    let cpuSeconds = 5
    const processes = {
      ...made.system.processes,
      ownCpuSeconds: () => (cpuSeconds += 100),
      ownThreadCpuSeconds: () => (cpuSeconds += 0.25),
    }
    const cgroup = new JobCgroups({ ...made.system, processes }).make()
    if (cgroup.kind === 'ok') cgroup.value.startInside(() => {})
    expect(cgroup).toMatchObject({ value: { launcherCpuSeconds: 0.25 } })
  })

  it('has the job join v2 later, all of it that still lives', () => {
    const { cgroup, moved } = withMembers(machine(hybrid), ['7', '8', '9'], ['8'])
    expect(cgroup.join()).toBe(inV2)
    expect(moved).toEqual(['7', '9'])
    expect(cgroup).toMatchObject({ v2: inV2, joinsLater: false })
    expect(cgroup.join()).toBe(inV2)
    expect(moved).toEqual(['7', '9'])
  })

  it('stays where it is when nobody could be moved', () => {
    const { cgroup } = withMembers(machine(hybrid), ['7'], ['7'])
    expect(cgroup.join()).toBeNull()
    expect(cgroup).toMatchObject({ v2: null, joinsLater: true })
  })

  it('does not rely on v2 alone to kill what may have been born outside of it', () => {
    const made = machine(hybrid)
    const { cgroup } = withMembers(made, ['7'])
    expect(cgroup.kill()).toBe(false)
    cgroup.join()
    expect(cgroup.kill()).toBe(false)
    expect(made.system.written).toContainEqual({ path: `${inV2}/cgroup.kill`, text: '1' })
  })

  it('is removed from both', () => {
    const made = machine(hybrid)
    const cgroup = make(made)
    expect(made.system.files.list(inV2).kind).not.toBe('ok')
    expect(cgroup.prepareLater()).toBe(inV2)
    expect(made.system.files.list(inV2).kind).toBe('ok')
    cgroup.remove()
    for (const parent of ['/cg/cpuacct/a', '/cg/memory/a', '/sys/fs/cgroup'])
      expect(made.system.files.list(`${parent}/jobmeter-1-1-0-00000000`).kind).not.toBe('ok')
  })
})
