import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../../../system/fake.ts'
import { Member } from '../../../member.ts'
import { ThreadReader } from './thread-reader.ts'
import { ThreadTable, ticksOf } from './thread-table.ts'

const stat = (tid: number, name: string, ticks: number, start = 5): string =>
  `${tid} (${name}) R 1 1 1 0 -1 0 0 0 0 0 ${ticks} 0 0 0 20 0 1 0 ${start} 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n`

/** A process with these threads, that has used CPU time since it was last looked at. */
function processOf(pid: number, threads: number): Member {
  const member = new Member(pid, 5, -1)
  member.threads = threads
  member.userTicks = 1
  return member
}

const mostThreadsPerLook = 256

describe('reading threads', () => {
  it('is bounded, goes on where it left off, and says how many it left out', () => {
    const count = mostThreadsPerLook + 100
    const tids = Array.from({ length: count }, (_, index) => 1000 + index)
    const { files, tree } = fakeSystem()
    for (const tid of tids) tree.set(`/proc/1000/task/${tid}/stat`, stat(tid, `t${tid}`, 7))
    let reads = 0
    const counting = {
      ...files,
      read: (...read: Parameters<typeof files.read>) => (reads++, files.read(...read)),
    }
    const table = new ThreadTable(0)
    const reader = new ThreadReader(counting, table)
    const member = processOf(1000, count)
    reader.look(new Map([[1000, member]]))
    expect(reads).toBe(mostThreadsPerLook)
    expect(reader.mostLeftOut).toBe(100)
    member.userTicks += 1
    reader.look(new Map([[1000, member]]))
    expect(table.busiest(count)).toHaveLength(count)
  })

  it('leaves processes alone that did nothing', () => {
    const { files, tree } = fakeSystem()
    tree.set('/proc/7/task/7/stat', stat(7, 'idle', 3))
    const table = new ThreadTable(0)
    const reader = new ThreadReader(files, table)
    const member = processOf(7, 1)
    reader.look(new Map([[7, member]]))
    tree.set('/proc/7/task/7/stat', stat(7, 'idle', 9))
    reader.look(new Map([[7, member]]))
    expect(table.busiest(1).map(ticksOf)).toEqual([3])
  })
})

describe('the table of threads', () => {
  it('counts from where it found them, where they ran before', () => {
    const table = new ThreadTable(100)
    table.note(7, 7, { startTicks: 1, userTicks: 500, systemTicks: 0 }, 'old')
    expect(table.busiest(9)).toEqual([])
    table.note(7, 7, { startTicks: 1, userTicks: 510, systemTicks: 2 }, 'renamed')
    expect(table.busiest(9).map((thread) => [thread.name, ticksOf(thread)])).toEqual([
      ['renamed', 12],
    ])
  })

  it('counts all of those that began since', () => {
    const table = new ThreadTable(100)
    table.note(7, 8, { startTicks: 100, userTicks: 40, systemTicks: 2 }, 'young')
    expect(table.busiest(9).map(ticksOf)).toEqual([42])
  })

  it('keeps one whose id was given to another', () => {
    const table = new ThreadTable(0)
    table.note(7, 7, { startTicks: 1, userTicks: 50, systemTicks: 0 }, 'first')
    table.note(7, 7, { startTicks: 9, userTicks: 2, systemTicks: 0 }, 'second')
    expect(table.busiest(9).map(({ name }) => name)).toEqual(['first', 'second'])
  })

  it('keeps all of them, however many were forgotten meanwhile', () => {
    const table = new ThreadTable(0)
    const note = (tid: number, startTicks: number, userTicks: number) =>
      table.note(tid, tid, { startTicks, userTicks, systemTicks: 0 }, `${tid} of ${startTicks}`)
    for (let tid = 1; tid <= 510; tid++) note(tid, 1, tid === 1 ? 900 : 2)
    note(1, 2, 3)
    // With these there are too many, and half of them are forgotten.
    for (let tid = 511; tid <= 512; tid++) note(tid, 1, 1)
    for (let tid = 1001; tid <= 1254; tid++) note(tid, 1, 1)
    note(1001, 2, 1)
    expect(table.busiest(1).map(({ name }) => name)).toEqual(['1 of 1'])
  })

  it('keeps the busiest of many', () => {
    const table = new ThreadTable(0)
    for (let tid = 1; tid <= 3000; tid++)
      table.note(tid, tid, { startTicks: 1, userTicks: tid === 77 ? 99 : 1, systemTicks: 0 }, 't')
    expect(table.busiest(1)[0]?.tid).toBe(77)
    expect(table.busiest(10_000).length).toBeLessThanOrEqual(512)
  })
})
