import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../system/fake.ts'
import type { JobKind } from '../../model/node-round.ts'
import { JobTally } from '../jobs/job-tally.ts'
import { noMarks } from '../processes/seen-process.ts'
import { CgroupCpu } from './cgroup-cpu.ts'
import { CgroupMounts } from './cgroup-mounts.ts'

const [ada, bob] = [1001, 1002]
const plenty = 1000

function tally(kind: JobKind, id: string, uid: number, cpuSeconds: number, directory?: string) {
  const cgroups = new Map(directory === undefined ? [] : [['', directory]])
  const made = new JobTally({
    kind,
    id,
    uid,
    place: { kind, id, cgroups },
    marks: noMarks,
    command: 'c',
    pid: null,
    startTicks: 0,
    cpuSeconds: 0,
    seenIn: 0,
    isOwn: true,
  })
  made.cpuSeconds = cpuSeconds
  return made
}

const container = (uid: number, cpuSeconds: number) =>
  tally('container', 'abc', uid, cpuSeconds, '/abc')

/** What is rolled up of a user, all of it of processes that no round saw. */
function shorts(uid: number, cpuSeconds: number) {
  const made = tally('rolled-up', `${uid}/c`, uid, 0)
  const use = { cpuSeconds, readBytes: 0, writeBytes: 0 }
  made.addUse(use)
  made.addShort(use)
  return made
}

/** A node that has been looked at before there was any cgroup. */
function node() {
  const mount = '30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n'
  const system = fakeSystem({ files: { '/proc/self/mountinfo': mount } })
  const cpu = new CgroupCpu(new CgroupMounts(system.files))
  const round = (
    counted: number,
    tallies: JobTally[],
    nodeSeconds = plenty,
    directory = '/abc',
  ) => {
    const text = `usage_usec ${Math.round(counted * 1e6)}\n`
    system.tree.set(`/sys/fs/cgroup${directory}/cpu.stat`, text)
    cpu.fillIn(tallies, nodeSeconds)
    return tallies.map(({ cpuSeconds }) => Math.round(cpuSeconds * 1000) / 1000)
  }
  const look = (tallies: readonly JobTally[]) => cpu.fillIn(tallies, plenty)
  return { look, system, round }
}

describe('what a cgroup counted and no process of its job shows', () => {
  it('is all of a cgroup that began after the first round', () => {
    const { look, round } = node()
    look([])
    expect(round(5, [container(ada, 1)])).toEqual([5])
    expect(round(7, [container(ada, 1)])).toEqual([2])
  })

  it('is not what a cgroup counted before the agent looked', () => {
    const { round } = node()
    expect(round(500, [container(ada, 1)])).toEqual([1])
    expect(round(503, [container(ada, 1)])).toEqual([3])
  })

  it('is taken from what is rolled up of the same user, and not added to it', () => {
    const { look, round } = node()
    look([])
    const tallies = [container(ada, 1), shorts(bob, 9), shorts(ada, 6)]
    expect(round(5, tallies)).toEqual([5, 9, 2])
    expect(tallies.map(({ shortCpuSeconds }) => shortCpuSeconds)).toEqual([4, 9, 2])
  })

  it('is no more than the node has', () => {
    const { look, round } = node()
    look([])
    expect(round(9, [container(ada, 1), shorts(bob, 1)], 4)).toEqual([3, 1])
  })

  it('is told once where several jobs are in the cgroup', () => {
    const { look, round } = node()
    look([])
    const attempts = ['x', 'y'].map((id) => tally('attempt', id, ada, 2, '/abc'))
    expect(round(5, attempts)).toEqual([3, 2])
  })

  it('is not what jobs in a cgroup within it used', () => {
    const { look, round } = node()
    look([])
    const unit = tally('unit', 'u.service', ada, 1, '/u.service')
    const inner = tally('container', 'abc', bob, 4, '/u.service/abc')
    expect(round(5, [unit, inner], plenty, '/u.service')).toEqual([1, 4])
  })

  it('counts from where it was when a cgroup has processes again, and from nothing when it is new', () => {
    const { look, system, round } = node()
    look([])
    expect(round(5, [container(ada, 5)])).toEqual([5])
    round(6, [])
    expect(round(7, [container(ada, 0)])).toEqual([1])
    system.tree.delete('/sys/fs/cgroup/abc/cpu.stat')
    look([])
    expect(round(4, [container(ada, 1)])).toEqual([4])
  })

  it('does not grow by looking at it a little after its processes', () => {
    const late = fc.array(fc.double({ min: 0, max: 0.5, noNaN: true }), { minLength: 2 })
    fc.assert(
      fc.property(late, (lags) => {
        const { look, round } = node()
        look([])
        // It uses a second a round, and each round reads its cgroup so much later.
        let told = 0
        for (const [at, lag] of lags.entries()) {
          const [seconds = 0] = round(at + 1 + lag, [container(ada, 1)])
          told += seconds
        }
        expect(told).toBeLessThan(lags.length + 0.5 + 0.001 * lags.length)
      }),
    )
  })
})
