import { describe, expect, it } from 'vitest'
import { procfsFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { fakeSystem } from '../../system/fake.ts'
import { readHierarchy } from './hierarchy.ts'

/** A machine with these two files and these cgroups. */
function machine(cgroup: string | Uint8Array, mountinfo: string | Uint8Array, places: string[]) {
  const files: Record<string, string | Uint8Array> = {
    '/proc/self/cgroup': cgroup,
    '/proc/self/mountinfo': mountinfo,
  }
  for (const place of places) files[`${place}/cgroup.procs`] = ''
  return fakeSystem({ files }).files
}

describe('readHierarchy', () => {
  it('finds our place on a pure v2 machine', () => {
    const own = '/sys/fs/cgroup/user.slice/user-1000.slice/session-3.scope'
    const files = machine(
      procfsFixture('cgroup-membership-5.10-v2'),
      procfsFixture('mountinfo-5.10-v2'),
      [own],
    )
    expect(readHierarchy(files)).toEqual({
      kind: 'ok',
      value: { v2: { directory: own, mountPoint: '/sys/fs/cgroup' }, v1: new Map() },
    })
  })

  it('finds both trees on a hybrid machine', () => {
    const files = machine(
      procfsFixture('cgroup-membership-6.18-hybrid'),
      procfsFixture('mountinfo-6.18-hybrid'),
      ['/sys/fs/cgroup/unified', '/sys/fs/cgroup/memory/batch/job_7', '/sys/fs/cgroup/cpuacct'],
    )
    const hierarchy = readHierarchy(files)
    if (hierarchy.kind !== 'ok') throw new Error(hierarchy.kind)
    expect(hierarchy.value.v2?.directory).toBe('/sys/fs/cgroup/unified')
    expect(hierarchy.value.v1.get('memory')).toEqual({
      directory: '/sys/fs/cgroup/memory/batch/job_7',
      mountPoint: '/sys/fs/cgroup/memory',
    })
    expect(hierarchy.value.v1.get('cpuacct')?.directory).toBe('/sys/fs/cgroup/cpuacct')
    // Named in both files, but its directory cannot be seen.
    expect(hierarchy.value.v1.has('pids')).toBe(false)
  })

  it('counts from the mount’s root in a container', () => {
    const files = machine(
      procfsFixture('cgroup-membership-4.18-v1-container'),
      procfsFixture('mountinfo-4.18-v1-container'),
      ['/sys/fs/cgroup/cpu,cpuacct', '/sys/fs/cgroup/memory'],
    )
    const hierarchy = readHierarchy(files)
    if (hierarchy.kind !== 'ok') throw new Error(hierarchy.kind)
    expect(hierarchy.value.v2).toBeNull()
    const directories = [...hierarchy.value.v1].map(([key, place]) => [key, place.directory])
    expect(Object.fromEntries(directories)).toEqual({
      cpuacct: '/sys/fs/cgroup/cpu,cpuacct',
      memory: '/sys/fs/cgroup/memory',
    })
  })

  it('takes the mount that shows our cgroup where a tree is mounted twice', () => {
    const mounts =
      '1 0 0:26 /other /a rw - cgroup2 cgroup2 rw\n2 0 0:26 / /b rw - cgroup2 cgroup2 rw\n'
    const hierarchy = readHierarchy(machine('0::/job\n', mounts, ['/a', '/b/job']))
    expect(hierarchy).toMatchObject({ value: { v2: { directory: '/b/job', mountPoint: '/b' } } })
  })

  it.each([
    ['a path outside of our cgroup namespace', '0::/../other\n', '/'],
    ['a mount from outside of it', '0::/\n', '/..'],
    ['a name that only begins like the root', '0::/jobs\n', '/job'],
  ])('finds no place by %s', (_, cgroup, root) => {
    const files = machine(cgroup, `1 0 0:26 ${root} /c rw - cgroup2 cgroup2 rw\n`, ['/c', '/c/s'])
    expect(readHierarchy(files).kind).toBe('unavailable')
  })

  it('says which of missing files and garbage it met', () => {
    expect(readHierarchy(fakeSystem().files).kind).toBe('unavailable')
    expect(readHierarchy(machine('garbage', '', [])).kind).toBe('failed')
    expect(readHierarchy(machine('0::/\n', 'garbage', [])).kind).toBe('failed')
  })
})
