import { describe, expect, it } from 'vitest'
import { cgroupMachine, home, cgroupOn, pureV2 } from '../../test/fixtures/cgroup/cgroup-machine.ts'
import { ok } from '../model/reading.ts'
import { JobCgroups } from './job-cgroups.ts'

describe('cgroups of jobmeters that are gone', () => {
  it('go with a cgroup of ours, once they are empty', () => {
    const made = cgroupMachine({ ...pureV2, writable: ['/sys/fs/cgroup/user', home] })
    const { system } = made
    system.tree.set('/proc/55/stat', '55 (jobmeter) S')
    const others = ['jobmeter-44-1', 'jobmeter-44-2', 'jobmeter-55-1', 'jobmeter-test', 'jobmeter-']
    for (const name of others) system.files.makeDirectory(`/sys/fs/cgroup/user/${name}`)
    made.occupied.add('/sys/fs/cgroup/user/jobmeter-44-2')
    const cgroup = cgroupOn(made)
    const other = cgroupOn(made)
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
    const made = cgroupMachine({ ...pureV2, writable: [parent, home] })
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
