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
    const table = new ThreadTable(false)
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
    const table = new ThreadTable(false)
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
    const table = new ThreadTable(true)
    table.note(7, 7, { startTicks: 1, userTicks: 500, systemTicks: 0 }, 'old')
    expect(table.busiest(9)).toEqual([])
    table.note(7, 7, { startTicks: 1, userTicks: 510, systemTicks: 2 }, 'renamed')
    expect(table.busiest(9).map((thread) => [thread.name, ticksOf(thread)])).toEqual([
      ['renamed', 12],
    ])
  })

  it('keeps one whose id was given to another', () => {
    const table = new ThreadTable(false)
    table.note(7, 7, { startTicks: 1, userTicks: 50, systemTicks: 0 }, 'first')
    table.note(7, 7, { startTicks: 9, userTicks: 2, systemTicks: 0 }, 'second')
    expect(table.busiest(9).map(({ name }) => name)).toEqual(['first', 'second'])
  })

  it('keeps the busiest of many', () => {
    const table = new ThreadTable(false)
    for (let tid = 1; tid <= 3000; tid++)
      table.note(tid, tid, { startTicks: 1, userTicks: tid === 77 ? 99 : 1, systemTicks: 0 }, 't')
    expect(table.busiest(1)[0]?.tid).toBe(77)
    expect(table.busiest(10_000).length).toBeLessThanOrEqual(512)
  })
})
