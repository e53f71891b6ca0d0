import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../system/fake.ts'
import { findContainerCgroup } from './container-cgroup.ts'

const id = 'a1'.repeat(32)
const mounts = [
  '30 1 0:26 / /cg rw - cgroup2 cgroup2 rw',
  '31 1 0:27 / /cg1/memory rw - cgroup cgroup rw,memory',
]

/** Where the cgroup of a container is found whose main process is at this path of both trees. */
function found(path: string) {
  const { files } = fakeSystem({
    files: {
      '/proc/7/cgroup': `4:memory:${path}\n0::${path}\n`,
      '/proc/self/mountinfo': mounts.map((mount) => `${mount}\n`).join(''),
      [`/cg${path}/cgroup.procs`]: '7\n',
      [`/cg1/memory${path}/cgroup.procs`]: '7\n',
    },
  })
  const cgroup = findContainerCgroup(files, 7, id)
  return cgroup.kind === 'ok' ? [cgroup.value.v2, cgroup.value.v1.get('memory')] : cgroup.kind
}

describe('the cgroup of a container', () => {
  it.each([`/docker/${id}`, `/system.slice/docker-${id}.scope`, `/pod/libpod-${id}.scope`])(
    'is the one that is named after it: %s',
    (path) => {
      expect(found(path)).toEqual([`/cg${path}`, `/cg1/memory${path}`])
    },
  )

  it('is all of it where its main process stands in a part of it', () => {
    const whole = [`/cg/docker/${id}`, `/cg1/memory/docker/${id}`]
    expect(found(`/docker/${id}/init.scope`)).toEqual(whole)
    expect(found(`/docker/${id}/kubelet/of-${id}`)).toEqual(whole)
  })

  it('is not that of a process that only has the same number here', () => {
    expect(found('/user.slice/session-3.scope')).toBe('unavailable')
  })
})
