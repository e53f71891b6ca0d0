import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { procfsFixture, textOf } from '../../../test/fixtures/procfs/fixture.ts'
import { parseCgroupMembership } from './cgroup-membership.ts'

const fixture = (name: string) => parseCgroupMembership(textOf(procfsFixture(name)))

describe('parseCgroupMembership', () => {
  it('reads a hybrid machine', () => {
    const membership = fixture('cgroup-membership-6.18-hybrid')
    expect(membership?.v2Path).toBe('/')
    expect(membership?.v1.get('memory')).toBe('/batch/job_7')
    expect(membership?.v1.get('name=systemd')).toBe('/')
  })

  it('reads a pure v2 machine', () => {
    expect(fixture('cgroup-membership-5.10-v2')).toEqual({
      v2Path: '/user.slice/user-1000.slice/session-3.scope',
      v1: new Map(),
    })
  })

  it('reads controllers that share a tree, and no v2', () => {
    const membership = fixture('cgroup-membership-4.18-v1-container')
    expect(membership?.v2Path).toBeNull()
    expect(membership?.v1.get('cpu')).toBe('/docker/0123abcd')
    expect(membership?.v1.get('cpuacct')).toBe('/docker/0123abcd')
  })

  it('keeps any path whole, colons and blanks included', () => {
    const name = fc.string().filter((each) => !/[\n\r\u2028\u2029]/.test(each))
    fc.assert(
      fc.property(name, (path) => {
        expect(parseCgroupMembership(`0::/${path}\n`)?.v2Path).toBe(`/${path}`)
      }),
    )
  })

  it('does not take other text, and never throws', () => {
    expect(parseCgroupMembership('no cgroup here')).toBeUndefined()
    fc.assert(fc.property(fc.string(), (any) => void parseCgroupMembership(any)))
  })
})
