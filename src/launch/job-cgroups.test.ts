import { describe, expect, it } from 'vitest'
import {
  cgroupMachine,
  home,
  cgroupOn,
  hybrid,
  onlyV1,
  pureV2,
  v1Mounts,
  v2Mount,
} from '../../test/fixtures/cgroup/cgroup-machine.ts'
import { fakeSystem } from '../system/fake.ts'
import { JobCgroups } from './job-cgroups.ts'

describe('making a cgroup for a job', () => {
  it('puts it beside us, for a cgroup with processes may not give controllers to its children', () => {
    const made = cgroupMachine({ ...pureV2, writable: [home, '/sys/fs/cgroup/user'] })
    expect(cgroupOn(made)).toMatchObject({
      v2: '/sys/fs/cgroup/user/jobmeter-1-1-0-00000000',
      inUse: true,
    })
    expect(cgroupOn(made).v2).toBe('/sys/fs/cgroup/user/jobmeter-1-2-0-00000000')
  })

  it('puts it below us where what is above is not ours, and at the top', () => {
    const delegated = cgroupMachine({
      ...pureV2,
      writable: [home],
      closed: ['/sys/fs/cgroup/user'],
    })
    expect(cgroupOn(delegated).v2).toBe(`${home}/jobmeter-1-1-0-00000000`)
    const top = cgroupMachine({
      membership: '0::/\n',
      mounts: v2Mount,
      writable: ['/sys/fs/cgroup'],
    })
    expect(cgroupOn(top).v2).toBe('/sys/fs/cgroup/jobmeter-1-1-0-00000000')
  })

  it('takes CPU and memory from v1 where it has both, and memory where it has that', () => {
    const v1 = cgroupOn(cgroupMachine(onlyV1))
    expect(v1).toMatchObject({ v2: null, joinsLater: false })
    expect(Object.fromEntries(v1.v1)).toEqual({
      memory: '/cg/memory/a/jobmeter-1-1-0-00000000',
      cpuacct: '/cg/cpuacct/a/jobmeter-1-1-0-00000000',
    })
    const withoutCpu = cgroupOn(
      cgroupMachine({
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

  it('makes that which only tells of pressure below where we are by then, within an outer job', () => {
    const writable = [...hybrid.writable, '/sys/fs/cgroup/outer']
    const machine = cgroupMachine({ ...hybrid, writable })
    const cgroup = cgroupOn(machine)
    expect(cgroup).toMatchObject({ v2: null, joinsLater: true })
    machine.system.tree.set('/proc/self/cgroup', `${onlyV1.membership}0::/outer\n`)
    expect(cgroup.prepareLater()).toBe('/sys/fs/cgroup/outer/jobmeter-1-1-0-00000000')
  })

  it('says why there is none', () => {
    const closed = cgroupMachine({ ...pureV2, writable: [], closed: [home, '/sys/fs/cgroup/user'] })
    expect(closed.cgroups.make()).toEqual({
      kind: 'unavailable',
      why: expect.stringContaining('no cgroup can be created here'),
    })
    const none = new JobCgroups(fakeSystem())
    expect(none.make()).toMatchObject({ kind: 'unavailable', why: expect.stringMatching(/./) })
  })
})
