import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyLifeStep, anyNegligentStep, playLife } from '../../test/fuzz/family-life.ts'
import { follow } from '../../test/fuzz/follow.ts'
import { accountOf, MadeMachine, type MadeProcess } from '../../test/fuzz/made-machine.ts'
import type { FollowedJob } from './followed-job.ts'
import type { MeteredJob } from './gauges/gauge.ts'
import type { Meter } from './meter.ts'

interface Figures {
  readonly userTicks: number
  readonly faults: number
  readonly bytes: number
}

function look(meter: Meter, job: FollowedJob, inside: MeteredJob): Figures {
  meter.refresh(job)
  const { userTicks, minorFaults, readBytes } = inside.members.totals()
  // An account in seconds does not always come out even in ticks.
  return { userTicks: Number(userTicks.toFixed(6)), faults: minorFaults, bytes: readBytes }
}

/** What processes really used, dead ones included. */
function truth(...processes: readonly MadeProcess[]): Figures {
  let [userTicks, faults, bytes] = [0, 0, 0]
  for (const { own } of processes) {
    userTicks += own.userTicks
    faults += own.minorFaults
    bytes += own.ioBytes
  }
  return { userTicks, faults, bytes }
}

describe('the counters of a job', () => {
  it('move from a child to its parent when that waits, and count once', () => {
    const machine = new MadeMachine()
    const { meter, job, inside, root } = follow(machine)
    const child = machine.start(root.pid)
    child.work(30, 0, 1000)
    expect(look(meter, job, inside)).toEqual(truth(root, child))
    child.work(20, 0, 500)
    machine.exit(child)
    expect(look(meter, job, inside)).toEqual(truth(root, child))
    machine.wait(child)
    expect(look(meter, job, inside)).toEqual(truth(root, child))
    expect(inside.members.byPid.size).toBe(1)
  })

  it('count nobody as living who has ended since it was found', () => {
    const machine = new MadeMachine()
    const { meter, job, inside, root } = follow(machine)
    const child = machine.start(root.pid)
    machine.onceAfterReading(`/proc/${child.pid}/stat`, () => machine.exit(child))
    look(meter, job, inside)
    expect(inside.members.liveProcesses).toBe(1)
  })

  it('include a child that came and went between two looks', () => {
    const machine = new MadeMachine()
    const { meter, job, inside, root } = follow(machine)
    const child = machine.start(root.pid)
    child.work(77, 0, 5)
    machine.exit(child)
    machine.wait(child)
    expect(look(meter, job, inside)).toEqual(truth(root, child))
    expect(inside.members.seen).toBe(1)
  })

  it('keep the last known of a child that a parent without interest lets go', () => {
    const machine = new MadeMachine()
    const { meter, job, inside, root } = follow(machine)
    root.ignoresChildren = true
    const child = machine.start(root.pid)
    child.work(40, 0, 100)
    const seen = look(meter, job, inside)
    child.work(3)
    machine.exit(child)
    root.work(10)
    const after = look(meter, job, inside)
    expect(after).toEqual({ userTicks: seen.userTicks + 10, faults: seen.faults + 10, bytes: 100 })
    expect(look(meter, job, inside)).toEqual(after)
  })

  it('follow a grandchild and a child that vanish in one look', () => {
    const machine = new MadeMachine()
    const { meter, job, inside, root } = follow(machine)
    const child = machine.start(root.pid)
    const grandchild = machine.start(child.pid)
    child.work(10)
    grandchild.work(20)
    look(meter, job, inside)
    grandchild.work(5)
    machine.exit(grandchild)
    machine.wait(grandchild)
    machine.exit(child)
    machine.wait(child)
    expect(look(meter, job, inside)).toEqual(truth(root, child, grandchild))
    expect(inside.members.byPid.size).toBe(1)
  })

  it('keep a grandchild that its parent let go, while the parent itself was waited for', () => {
    const machine = new MadeMachine()
    const { meter, job, inside, root } = follow(machine)
    const child = machine.start(root.pid)
    child.ignoresChildren = true
    const grandchild = machine.start(child.pid)
    child.work(50)
    grandchild.work(20)
    look(meter, job, inside)
    machine.exit(grandchild)
    machine.exit(child)
    machine.wait(child)
    look(meter, job, inside)
    expect(look(meter, job, inside)).toEqual(truth(root, child, grandchild))
  })

  it('do not mix up a process with the next one of the same pid', () => {
    const machine = new MadeMachine()
    const { meter, job, inside, root } = follow(machine)
    const first = machine.start(root.pid)
    first.work(60)
    look(meter, job, inside)
    machine.exit(first)
    machine.wait(first)
    machine.system.advance(1)
    const stranger = machine.start(999, first.pid)
    stranger.work(50)
    expect(look(meter, job, inside)).toEqual(truth(root, first))
    expect(job.has(first.pid)).toBe(false)
    machine.exit(stranger)
    stranger.state = 'gone'
    machine.system.advance(1)
    const second = machine.start(root.pid, first.pid)
    machine.start(root.pid) // a newer pid, or nothing would seem to have started
    second.work(7)
    expect(look(meter, job, inside).userTicks).toBe(67)
  })

  it('tell a reused pid apart without kept descriptors too', () => {
    const machine = new MadeMachine({ host: { keptDescriptors: 0 } })
    const { meter, job, inside, root } = follow(machine)
    const first = machine.start(root.pid)
    first.work(60)
    look(meter, job, inside)
    machine.exit(first)
    machine.wait(first)
    machine.start(999, first.pid).work(50)
    expect(look(meter, job, inside)).toEqual(truth(root, first))
  })

  it.each([
    [
      'a number too large',
      (stat: string) => stat.replace(' 80 0 0 0 9 ', ' 80 0 0 0 99999999999 '),
    ],
    [
      'too many faults',
      (stat: string) => stat.replace(' 80 0 0 0 9 ', ' 9007199254740991 0 0 0 9 '),
    ],
    [
      'too much memory',
      (stat: string) => stat.replace(' 99999744 1024 ', ' 99999744 99999999999 '),
    ],
    ['a cut line', (stat: string) => stat.slice(0, 40)],
    ['nonsense', () => 'no such thing'],
  ])('pass over %s in a look, and go on with the next', (_, garble) => {
    const machine = new MadeMachine()
    const { meter, job, inside, root, usageNow } = follow(machine)
    const child = machine.start(root.pid)
    look(meter, job, inside)
    // Once more, until nobody is looked for: the garbled file is for the look.
    look(meter, job, inside)
    child.own.userTicks = 9
    const path = `/proc/${child.pid}/stat`
    expect(garble(child.stat())).not.toBe(child.stat())
    machine.garbleOnce(path, garble)
    const meanwhile = look(meter, job, inside)
    expect(meanwhile).toEqual({ ...truth(root, child), userTicks: 0 })
    expect(inside.members.byPid.size).toBe(2)
    expect(look(meter, job, inside)).toEqual(truth(root, child))
    expect(usageNow().cpuUserSeconds.value).toBe(0.09)
    expect(usageNow().rssSumPeakBytes.value).toBe(2 * child.residentBytes)
  })

  it('stay whole when a process in the middle vanishes and its child is adopted', () => {
    const machine = new MadeMachine()
    const { meter, job, inside, root } = follow(machine)
    const middle = machine.start(root.pid)
    const leaf = machine.start(middle.pid)
    middle.work(10)
    leaf.work(20)
    look(meter, job, inside)
    machine.exit(middle)
    machine.wait(middle)
    leaf.work(30)
    expect(look(meter, job, inside)).toEqual(truth(root, middle, leaf))
    const late = machine.start(leaf.pid)
    late.work(5)
    expect(look(meter, job, inside)).toEqual(truth(root, middle, leaf, late))
  })

  it.each(['seen before', 'never seen'])('include an adopted orphan that was %s', (when) => {
    const machine = new MadeMachine()
    const { meter, job, inside, root } = follow(machine)
    const middle = machine.start(root.pid)
    const orphan = machine.start(middle.pid)
    orphan.work(25, 0, 300)
    if (when === 'seen before') look(meter, job, inside)
    machine.exit(middle)
    machine.wait(middle)
    orphan.work(5)
    machine.reapOrphan(orphan)
    expect(look(meter, job, inside)).toEqual(truth(root, middle, orphan))
    expect(inside.accounts.userSeconds + inside.accounts.systemSeconds).toBeCloseTo(0.3)
  })

  it('take an orphan in that has lost its parent before any look', () => {
    const machine = new MadeMachine()
    const { meter, job, inside, root } = follow(machine)
    const middle = machine.start(root.pid)
    const orphan = machine.start(middle.pid)
    machine.exit(middle)
    machine.wait(middle)
    orphan.work(12)
    expect(look(meter, job, inside)).toEqual(truth(root, middle, orphan))
    expect(job.has(orphan.pid)).toBe(true)
  })

  it('count once a child that ends while the look is between its parent and itself', () => {
    const machine = new MadeMachine()
    const { meter, job, inside, root } = follow(machine)
    const child = machine.start(root.pid)
    child.work(100, 0, 50)
    look(meter, job, inside)
    // The look reads the child last: by then its parent, already read, has waited for it.
    machine.onceAfterReading(`/proc/${root.pid}/stat`, () => {
      machine.exit(child)
      machine.wait(child)
    })
    look(meter, job, inside)
    machine.system.advance(1)
    expect(look(meter, job, inside)).toEqual(truth(root, child))
  })

  it('count once a child that ends while its grandparent is found to be dead', () => {
    const machine = new MadeMachine()
    const { meter, job, inside, root } = follow(machine)
    const middle = machine.start(root.pid)
    const parent = machine.start(middle.pid)
    const child = machine.start(parent.pid)
    look(meter, job, inside)
    // Once more, until nobody is looked for: the child is to end during the look itself.
    look(meter, job, inside)
    child.work(100, 0, 50)
    machine.exit(middle)
    machine.wait(middle)
    // Nobody lives who was looked at after the child, but its parent is asked once more, for its own new parent.
    machine.onceAfterReading(`/proc/${child.pid}/stat`, () => {
      machine.exit(child)
      machine.wait(child)
    })
    look(meter, job, inside)
    look(meter, job, inside)
    expect(look(meter, job, inside)).toEqual(truth(root, middle, parent, child))
  })

  it('count once a new child that ends, and its parent after it, before the look at those that were found', () => {
    const machine = new MadeMachine()
    const { meter, job, inside, root } = follow(machine, { intervalSeconds: 5 })
    const parent = machine.start(root.pid)
    machine.system.advance(5)
    const child = machine.start(parent.pid)
    child.work(50, 0, 100)
    parent.work(11)
    machine.onceAfterReading(`/proc/${child.pid}/stat`, () => {
      for (const one of [child, parent]) {
        machine.exit(one)
        machine.wait(one)
      }
    })
    // Between samples, where I/O is not read.
    machine.system.advance(1)
    expect(inside.members.totals().userTicks).toBe(61)
    machine.system.advance(5)
    expect(look(meter, job, inside)).toEqual(truth(root, parent, child))
    expect(inside.members.unaccounted).toBe(0)
  })

  it('keep the I/O of all when a process ends between the reads of its files', () => {
    const machine = new MadeMachine()
    const { meter, job, inside, root } = follow(machine)
    const child = machine.start(root.pid)
    child.work(1, 0, 50)
    look(meter, job, inside)
    machine.onceAfterReading(`/proc/${child.pid}/stat`, () => {
      machine.exit(child)
      machine.wait(child)
    })
    look(meter, job, inside)
    expect(inside.members.ioReadable).toBe(true)
    expect(look(meter, job, inside)).toEqual(truth(root, child))
  })

  it('say so when I/O is not ours to read', () => {
    const machine = new MadeMachine()
    const { meter, job, inside, root, samples } = follow(machine)
    const child = machine.start(root.pid)
    child.isPrivate = true
    look(meter, job, inside)
    const usage = meter.finish(job, 1)
    expect(usage.readBytes).toEqual({ value: null, why: expect.stringContaining('/proc/PID/io') })
    expect(samples.at(-1)?.read_bytes).toBeNaN()
  })

  it('are the exact ones of the kernel once the main process was waited for', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine)
    root.work(7)
    job.look(true)
    machine.exit(root)
    job.look(true)
    const account = { ...accountOf(root), userSeconds: 0.0654321 }
    root.state = 'gone'
    job.retire(root.pid, account)
    const usage = meter.finish(job, 0.5)
    expect(usage.cpuUserSeconds).toEqual({
      value: 0.0654321,
      basis: 'kernel accounting at exit (wait4)',
    })
    expect(usage.voluntarySwitches).toMatchObject({ value: 3 })
  })

  it('are known to come from /proc alone where nobody told the account', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine)
    root.work(50)
    job.look(true)
    machine.exit(root)
    root.state = 'gone'
    job.retire(root.pid, null)
    const usage = meter.finish(job, 1)
    expect(usage.cpuUserSeconds).toEqual({
      value: 0.5,
      basis:
        'at least: /proc counters of the processes seen; what happened after the last look is not included',
    })
    expect(usage.involuntarySwitches).toMatchObject({ value: null })
  })
})

const anyLife = <Step>(step: fc.Arbitrary<Step>) => fc.array(step, { maxLength: 60, size: 'max' })
/** Where samples are far apart, most looks are glances, which leave out what can wait. */
const anyInterval = fc.constantFrom(0.3, 1, 5, 60)

describe('any life of a family of processes', () => {
  it('is counted once and wholly, however looks fall into it', () => {
    fc.assert(
      fc.property(anyLife(anyLifeStep), anyInterval, (steps, intervalSeconds) => {
        const machine = new MadeMachine()
        const { meter, job, inside, root } = follow(machine, { intervalSeconds })
        machine.system.advance(0.001)
        let before: Figures = { userTicks: 0, faults: 0, bytes: 0 }
        const family = playLife(machine, root, steps, () => {
          const now = look(meter, job, inside)
          expect(now.userTicks).toBeGreaterThanOrEqual(before.userTicks)
          expect(now.bytes).toBeGreaterThanOrEqual(before.bytes)
          before = now
        })
        machine.calmDown()
        look(meter, job, inside)
        // I/O too, which the quick looks at a large family leave out.
        job.look(true)
        expect(look(meter, job, inside)).toEqual(truth(...family))
        expect(inside.members.unaccounted).toBe(0)
        meter.close()
      }),
      { numRuns: 3000 },
    )
  })

  it('is never counted twice, whoever ignores its children', () => {
    fc.assert(
      fc.property(anyLife(anyNegligentStep), anyInterval, (steps, intervalSeconds) => {
        const machine = new MadeMachine()
        const { meter, job, inside, root } = follow(machine, { intervalSeconds })
        machine.system.advance(0.001)
        const family = playLife(machine, root, steps, () => look(meter, job, inside))
        machine.calmDown()
        look(meter, job, inside)
        job.look(true)
        const told = look(meter, job, inside)
        const used = truth(...family)
        expect(told.userTicks).toBeLessThanOrEqual(used.userTicks)
        expect(told.bytes).toBeLessThanOrEqual(used.bytes)
        meter.close()
      }),
      { numRuns: 3000 },
    )
  })
})
