import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { procfsFixture, textOf } from '../../../test/fixtures/procfs/fixture.ts'
import { parseMountinfo } from './mountinfo.ts'

const fixture = (name: string) => parseMountinfo(textOf(procfsFixture(name)))

describe('parseMountinfo', () => {
  it('finds both kinds on a hybrid machine, and nothing else', () => {
    const mounts = fixture('mountinfo-6.18-hybrid')
    expect(mounts).toHaveLength(10)
    expect(mounts?.at(-1)).toEqual({
      mountPoint: '/sys/fs/cgroup/unified',
      root: '/',
      kind: 'v2',
      controllers: [],
    })
  })

  it('finds the one mount of a pure v2 machine', () => {
    expect(fixture('mountinfo-5.10-v2')).toMatchObject([{ mountPoint: '/sys/fs/cgroup' }])
  })

  it('tells controllers from options, and reads escaped blanks', () => {
    const mounts = fixture('mountinfo-4.18-v1-container')
    expect(mounts?.[0]).toMatchObject({ root: '/docker/0123abcd', controllers: ['cpu', 'cpuacct'] })
    expect(mounts?.at(-1)).toMatchObject({
      mountPoint: '/sys/fs/cgroup/systemd units',
      controllers: ['name=systemd'],
    })
  })

  it('does not take other text, and never throws', () => {
    expect(parseMountinfo('1 2 3')).toBeUndefined()
    fc.assert(fc.property(fc.string(), (any) => void parseMountinfo(any)))
  })
})
