import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EndedProcess } from './ended-process.ts'
import type { ExitRecord } from './exit-record.ts'
import { SeenProcess } from './seen-process.ts'
import { settle } from './settle.ts'

function living(pid: number, parentPid: number, own: [number, number], child: [number, number]) {
  const process = new SeenProcess(pid, 1)
  process.parentPid = parentPid
  process.before.ownSeconds = own[0]
  process.now.ownSeconds = own[1]
  process.before.childSeconds = child[0]
  process.now.childSeconds = child[1]
  return process
}

const record = (pid: number, parentPid: number, cpuSeconds: number): ExitRecord => ({
  pid,
  processId: pid,
  parentPid,
  uid: 1000,
  command: 'x',
  cpuSeconds,
  readBytes: 0,
  writeBytes: 0,
  startedAt: 0,
})

const unseen = (pid: number, parentPid: number, cpuSeconds: number): EndedProcess => ({
  pid,
  parentPid,
  seen: null,
  record: record(pid, parentPid, cpuSeconds),
})

const table = (...processes: SeenProcess[]) =>
  new Map(processes.map((process) => [process.pid, process]))

describe('settle', () => {
  it('counts what a process did itself', () => {
    const shell = living(7, 1, [2, 5], [0, 0])
    expect(settle(table(shell), [], new Map()).living.get(shell)?.cpuSeconds).toBe(3)
  })

  it('lets the parent’s counters say how much, and the records whose it was', () => {
    const shell = living(7, 1, [0, 0], [10, 14])
    const [long, short] = [unseen(8, 7, 2), unseen(9, 7, 1)]
    const { ended, living: uses } = settle(table(shell), [long, short], new Map())
    expect(ended.get(long)?.cpuSeconds).toBe(2.5)
    expect(ended.get(short)?.cpuSeconds).toBe(1.5)
    expect(uses.get(shell)?.cpuSeconds).toBe(0)
  })

  it('finds the living above a chain of dead', () => {
    const shell = living(7, 1, [0, 0], [0, 3])
    const make = unseen(8, 7, 1)
    const compiler = unseen(9, 8, 2)
    const { ended } = settle(table(shell), [compiler, make], new Map())
    expect([make, compiler].map((one) => ended.get(one)?.cpuSeconds)).toEqual([1, 2])
  })

  it('does not count again what a child had been counted for while it lived', () => {
    const shell = living(7, 1, [0, 0], [0, 6])
    const seen = living(8, 7, [0, 4], [0, 1])
    const child = { pid: 8, parentPid: 7, seen, record: null }
    const { living: uses } = settle(table(shell), [child], new Map())
    expect(uses.get(shell)?.cpuSeconds).toBe(1)
  })

  it('counts once what was told before its parent had waited for it', () => {
    const credit: Parameters<typeof settle>[2] = new Map()
    const shell = living(7, 1, [0, 0], [0, 0])
    const child = unseen(8, 7, 2)
    expect(settle(table(shell), [child], credit).ended.get(child)?.cpuSeconds).toBe(2)
    shell.now.childSeconds = 2
    expect(settle(table(shell), [], credit).living.get(shell)?.cpuSeconds).toBe(0)
    shell.before.childSeconds = 2
    shell.now.childSeconds = 5
    expect(settle(table(shell), [], credit).living.get(shell)?.cpuSeconds).toBe(3)
  })

  it('finds the time of who was killed with its parent with the adopter, and counts it once', () => {
    const first = living(1, 0, [0, 0], [100, 106.5])
    const shell = living(7, 1, [0, 0], [10, 11])
    const seen = { parent: living(8, 7, [0, 1], [0, 0]), child: living(9, 8, [0, 4], [0, 0]) }
    const parent = { pid: 8, parentPid: 7, seen: seen.parent, record: record(8, 7, 1) }
    const child = { pid: 9, parentPid: 8, seen: seen.child, record: record(9, 8, 6) }
    const credit: Parameters<typeof settle>[2] = new Map()
    const { ended, living: uses } = settle(table(first, shell), [parent, child], credit)
    const sum = [...ended.values()].reduce((total, { cpuSeconds }) => total + cpuSeconds, 0)
    expect(sum).toBeCloseTo(2.5, 9)
    expect(uses.get(first)?.cpuSeconds).toBe(0)
    expect(credit.size).toBe(0)
  })

  it('believes the record of a child that its parent ignored, and owes nothing for it', () => {
    const daemon = living(7, 1, [0, 0], [0, 0])
    daemon.ignoresChildren = true
    const child = unseen(8, 7, 2)
    const credit: Parameters<typeof settle>[2] = new Map()
    expect(settle(table(daemon), [child], credit).ended.get(child)?.cpuSeconds).toBe(2)
    expect(credit.size).toBe(0)
  })

  it('lets records that stopped too early make up for those that say too much', () => {
    const daemon = living(7, 1, [0, 0], [0, 0])
    daemon.ignoresChildren = true
    const ended = [1.004, 0.996].map((cpuSeconds, at) => {
      const pid = 8 + at
      const seen = living(pid, 7, [0, 1], [0, 0])
      return { pid, parentPid: 7, seen, record: record(pid, 7, cpuSeconds) }
    })
    const settled = settle(table(daemon), ended, new Map())
    const told = [...settled.ended.values()].reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
    expect(told).toBeCloseTo(0, 9)
  })

  it('adds up to what the parent’s counters gained, however many ended', () => {
    const seconds = fc.double({ min: 0, max: 100, noNaN: true })
    fc.assert(
      fc.property(fc.array(seconds, { minLength: 1 }), seconds, (estimates, gained) => {
        const shell = living(7, 1, [0, 0], [0, gained])
        const ended = estimates.map((estimate, at) => unseen(100 + at, 7, estimate))
        const settled = settle(table(shell), ended, new Map())
        const sum = [...settled.ended.values(), ...settled.living.values()].reduce(
          (total, { cpuSeconds }) => total + cpuSeconds,
          0,
        )
        const told = estimates.reduce((total, estimate) => total + estimate, 0)
        // Where nobody has waited for them, there is only what they said themselves.
        expect(sum).toBeCloseTo(gained > 0 ? gained : told, 6)
      }),
    )
  })
})
