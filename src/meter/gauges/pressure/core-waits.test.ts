import { describe, expect, it } from 'vitest'
import { Schedstat } from '../../../sensors/procfs/schedstat.ts'
import { Member } from '../../member.ts'
import { CoreWaits } from './core-waits.ts'

function world() {
  const files = new Map<number, Schedstat>()
  const reads: number[] = []
  const waits = new CoreWaits({
    readSchedstat: (pid) => {
      reads.push(pid)
      return files.get(pid)
    },
  })
  const members = new Map<number, Member>()
  const runs = (pid: number, ran: number, waited: number, startTicks = 1): void => {
    files.set(
      pid,
      Object.assign(new Schedstat(), { runSeconds: ran, waitSeconds: waited, slices: 1 }),
    )
    let member = members.get(pid)
    if (member?.startTicks !== startTicks) {
      member = new Member(pid, startTicks, -1)
      members.set(pid, member)
    }
    member.userTicks = Math.round(ran * 100)
  }
  return { files, reads, waits, members, runs }
}

describe('waits for a core', () => {
  it('are those of the busiest process, also once it has ended', () => {
    const { waits, members, runs } = world()
    runs(7, 1, 0.5)
    runs(8, 2, 0.25)
    waits.look(members)
    expect(waits).toMatchObject({ ranSeconds: 2, waitedSeconds: 0.25 })
    members.delete(8)
    runs(7, 1.5, 1)
    waits.look(members)
    expect(waits).toMatchObject({ ranSeconds: 2, waitedSeconds: 0.25 })
    runs(7, 3, 1.5)
    waits.look(members)
    expect(waits).toMatchObject({ ranSeconds: 3, waitedSeconds: 1.5 })
  })

  it('of a process whose number another one gets are kept', () => {
    const { waits, members, runs } = world()
    runs(7, 1, 0.5)
    waits.look(members)
    runs(7, 0.5, 0.125, 2)
    waits.look(members)
    expect(waits).toMatchObject({ ranSeconds: 1, waitedSeconds: 0.5 })
  })

  it('are read only of those that did something', () => {
    const { reads, waits, members, runs } = world()
    runs(7, 1, 0.5)
    runs(8, 1, 0.5)
    waits.look(members)
    runs(8, 2, 0.5)
    waits.look(members)
    expect(reads).toEqual([7, 8, 8])
  })

  it('are read of one that comes after 64 others have ended', () => {
    const { waits, members, runs } = world()
    for (let pid = 1; pid <= 64; pid++) runs(pid, pid / 100, 0.25)
    waits.look(members)
    members.clear()
    runs(100, 0.125, 0)
    waits.look(members)
    expect(waits).toMatchObject({ ranSeconds: 0.64, waitedSeconds: 0.25 })
    runs(100, 9, 3)
    waits.look(members)
    expect(waits).toMatchObject({ ranSeconds: 9, waitedSeconds: 3 })
  })

  it('are read of no more than 64 processes', () => {
    const { reads, waits, members, runs } = world()
    for (let pid = 1; pid <= 100; pid++) runs(pid, 1, 1)
    waits.look(members)
    expect(reads).toHaveLength(64)
  })
})
