import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../system/fake.ts'
import { SeenProcess } from './seen-process.ts'
import { SharedMemory } from './shared-memory.ts'

const mebibyte = 2 ** 20

/** A node on which each read of a proportional size takes so long. */
function node(readSeconds: number) {
  const system = fakeSystem({})
  const living = new Map<number, SeenProcess>()
  const reads = new Set<number>()
  const shared = new SharedMemory(system)
  return {
    living,
    reads,
    add(pid: number, parentPid: number, command: string, residentMb: number, ownMb: () => number) {
      const process = new SeenProcess(pid, 1)
      const residentBytes = residentMb * mebibyte
      Object.assign(process, { parentPid, command, uid: 1000, residentBytes })
      living.set(pid, process)
      system.tree.set(`/proc/${pid}/smaps_rollup`, () => {
        reads.add(pid)
        // It is asked for when it is opened and when it is read.
        system.stall(readSeconds / 2)
        const kib = (ownMb() * 1024).toFixed()
        return `00400000-7ffe000 ---p 00000000 00:00 0  [rollup]\nRss: ${residentMb * 1024} kB\nPss: ${kib} kB\n`
      })
      return process
    },
    refresh: (seconds = 1) => shared.refresh(living, seconds),
    sumMb(command: string) {
      let sum = 0
      for (const one of living.values())
        if (one.command === command) sum += one.residentBytes * one.ownPart
      return sum / mebibyte
    },
  }
}

/** One that forked the others, all of which share all that it has. */
function addForked(made: ReturnType<typeof node>, firstPid: number, count: number, mb: number) {
  const own = () => mb / [...made.living.values()].filter((one) => one.command === 'w').length
  for (let at = 0; at < count; at++)
    made.add(firstPid + at, made.living.has(10) ? 10 : 5, 'w', mb, own)
}

describe('memory that processes share', () => {
  it('counts once from the first round on, though only one of them can be read in it', () => {
    const made = node(1)
    addForked(made, 10, 30, 100)
    made.refresh()
    expect(made.reads.size).toBe(1)
    expect(made.sumMb('w')).toBeCloseTo(100, 0)
  })

  it('is read where most could count twice, before what is larger and alone', () => {
    const made = node(1)
    made.add(7, 1, 'large', 5000, () => 5000)
    addForked(made, 10, 30, 100)
    made.refresh()
    expect(made.sumMb('w')).toBeCloseTo(100, 0)
    made.refresh()
    expect(made.reads).toContain(7)
  })

  it('is read again when others have come to share it, and holds for all at once', () => {
    const made = node(1)
    addForked(made, 10, 3, 100)
    for (let rounds = 0; rounds < 5; rounds++) made.refresh()
    expect(made.sumMb('w')).toBeCloseTo(100, 0)
    addForked(made, 20, 27, 100)
    made.refresh()
    expect(made.sumMb('w')).toBeCloseTo(100, 0)
  })

  it('does not hide what one of them has more than the one that was read', () => {
    const made = node(1)
    const own = () => 50
    made.add(10, 5, 'w', 100, own)
    const child = made.add(11, 10, 'w', 100, own)
    made.refresh()
    child.residentBytes = 110 * mebibyte
    made.refresh()
    child.residentBytes = 900 * mebibyte
    made.add(12, 1, 'other', 500, () => 500)
    made.add(13, 12, 'other', 500, () => 500)
    made.refresh()
    expect(child.residentBytes * child.ownPart).toBeGreaterThan(800 * mebibyte)
  })

  it('does not hold for other programs, and counts in full what may not be read', () => {
    const made = node(1)
    addForked(made, 10, 2, 100)
    const other = made.add(30, 10, 'x', 100, () => 0)
    made.refresh()
    made.refresh()
    made.refresh()
    expect(made.sumMb('w')).toBeCloseTo(100, 0)
    expect(other.ownPart).toBe(1)
  })

  it('reads more in a long round, and not more than its part of it', () => {
    const made = node(0.001)
    addForked(made, 10, 100, 100)
    made.refresh(1)
    expect(made.reads.size).toBeLessThanOrEqual(4)
    made.reads.clear()
    made.refresh(3600)
    expect(made.reads.size).toBeGreaterThan(15)
    expect(made.reads.size).toBeLessThanOrEqual(19)
  })

  it('reads everybody in the end, and then has the kernel’s own sum', () => {
    const sizes = fc.array(fc.integer({ min: 8, max: 2000 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(sizes, fc.double({ min: 0.01, max: 1, noNaN: true }), (all, own) => {
        const made = node(1)
        for (const [at, mb] of all.entries()) made.add(10 + at, 5, 'p', mb, () => mb * own)
        for (let rounds = 0; rounds < all.length; rounds++) made.refresh()
        expect(made.reads.size).toBe(all.length)
        expect(made.sumMb('p')).toBeCloseTo(
          all.reduce((sum, mb) => sum + mb * own, 0),
          1,
        )
      }),
    )
  })
})
