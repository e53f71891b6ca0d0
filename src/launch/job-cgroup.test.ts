import { describe, expect, it } from 'vitest'
import {
  type CgroupMachine,
  cgroupMachine,
  home,
  hybrid,
  cgroupOn,
  pureV2,
  v1Mounts,
} from '../../test/fixtures/cgroup/cgroup-machine.ts'
import { ok } from '../model/reading.ts'
import { JobCgroups } from './job-cgroups.ts'

describe('a cgroup of a job', () => {
  const places = { ...pureV2, writable: [home, '/sys/fs/cgroup/user'] }
  const directory = '/sys/fs/cgroup/user/jobmeter-1-1-0-00000000'

  it('has the job start inside, and us out again whatever happens', () => {
    const made = cgroupMachine(places)
    const cgroup = cgroupOn(made)
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
    const made = cgroupMachine(places)
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
    const made = cgroupMachine(places)
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
    const made = cgroupMachine(places)
    const cgroup = cgroupOn(made)
    made.system.tree.delete(`${directory}/cgroup.procs`)
    expect(cgroup.startInside(() => 'started')).toBe('started')
    expect(cgroup).toMatchObject({ inUse: false, v2: null })
    expect(made.system.written).toEqual([])
  })

  it('limits memory where it has a controller for it', () => {
    const v2 = cgroupMachine(places)
    expect(cgroupOn(v2).limitMemory(1000).kind).toBe('ok')
    expect(v2.system.written).toEqual([{ path: `${directory}/memory.max`, text: '1000' }])
    const v1 = cgroupMachine({
      membership: '4:memory:/a\n',
      mounts: v1Mounts,
      writable: ['/cg/memory/a'],
    })
    expect(cgroupOn(v1).limitMemory(1000).kind).toBe('ok')
    expect(v1.system.written).toEqual([
      { path: '/cg/memory/a/jobmeter-1-1-0-00000000/memory.limit_in_bytes', text: '1000' },
    ])
    const withoutMemory = cgroupMachine({
      membership: '5:cpuacct:/a\n',
      mounts: v1Mounts,
      writable: ['/cg/cpuacct/a'],
    })
    expect(cgroupOn(withoutMemory).limitMemory(1000).kind).toBe('unavailable')
  })

  it('kills all inside where the kernel can', () => {
    const made = cgroupMachine(places)
    const cgroup = cgroupOn(made)
    expect(cgroup.kill()).toBe(true)
    made.system.tree.delete(`${directory}/cgroup.kill`)
    expect(cgroup.kill()).toBe(false)
  })
})

describe('a cgroup of a job where v1 and v2 stand side by side', () => {
  const inV1 = '/cg/cpuacct/a/jobmeter-1-1-0-00000000'
  const inV2 = '/sys/fs/cgroup/jobmeter-1-1-0-00000000'

  /** Has the kernel show the processes in v1, and in v2 those that were moved there. */
  function withMembers(
    made: CgroupMachine,
    pids: readonly string[],
    refuses: readonly string[] = [],
  ) {
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
    const made = cgroupMachine(hybrid)
    const cgroup = cgroupOn(made)
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
    const made = cgroupMachine(hybrid)
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
    const { cgroup, moved } = withMembers(cgroupMachine(hybrid), ['7', '8', '9'], ['8'])
    expect(cgroup.join()).toBe(inV2)
    expect(moved).toEqual(['7', '9'])
    expect(cgroup).toMatchObject({ v2: inV2, joinsLater: false })
    expect(cgroup.join()).toBe(inV2)
    expect(moved).toEqual(['7', '9'])
  })

  it('stays where it is when nobody could be moved', () => {
    const { cgroup } = withMembers(cgroupMachine(hybrid), ['7'], ['7'])
    expect(cgroup.join()).toBeNull()
    expect(cgroup).toMatchObject({ v2: null, joinsLater: true })
  })

  it('does not rely on v2 alone to kill what may have been born outside of it', () => {
    const made = cgroupMachine(hybrid)
    const { cgroup } = withMembers(made, ['7'])
    expect(cgroup.kill()).toBe(false)
    cgroup.join()
    expect(cgroup.kill()).toBe(false)
    expect(made.system.written).toContainEqual({ path: `${inV2}/cgroup.kill`, text: '1' })
  })

  it('is removed from both', () => {
    const made = cgroupMachine(hybrid)
    const cgroup = cgroupOn(made)
    expect(made.system.files.list(inV2).kind).not.toBe('ok')
    expect(cgroup.prepareLater()).toBe(inV2)
    expect(made.system.files.list(inV2).kind).toBe('ok')
    cgroup.remove()
    for (const parent of ['/cg/cpuacct/a', '/cg/memory/a', '/sys/fs/cgroup'])
      expect(made.system.files.list(`${parent}/jobmeter-1-1-0-00000000`).kind).not.toBe('ok')
  })
})
