import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { follow } from '../../test/fuzz/follow.ts'
import { MadeMachine } from '../../test/fuzz/made-machine.ts'

/** Reads of one file of one process in some looks that are a second apart. */
function readsIn(machine: MadeMachine, path: string, seconds: number): number {
  const before = machine.reads.get(path) ?? 0
  machine.system.advance(seconds)
  return (machine.reads.get(path) ?? 0) - before
}

describe('a process that does nothing', () => {
  it('is asked no more than whether it runs, but for one look in ten', () => {
    const machine = new MadeMachine()
    const { root } = follow(machine)
    machine.system.advance(5)
    expect(readsIn(machine, `/proc/${root.pid}/schedstat`, 30)).toBe(30)
    expect(readsIn(machine, `/proc/${root.pid}/stat`, 30)).toBe(3)
    expect(readsIn(machine, `/proc/${root.pid}/io`, 30)).toBe(3)
  })

  it('is known to be gone by that alone', () => {
    const machine = new MadeMachine()
    const { files } = machine.system
    let failures = 0
    const read: typeof files.read = (descriptor, into) => {
      const length = files.read(descriptor, into)
      if (length < 0) failures += 1
      return length
    }
    const system = { ...machine.system, files: { ...files, read } }
    const { job, root } = follow(machine, { system })
    const child = machine.start(root.pid)
    machine.system.advance(5)
    machine.exit(child)
    machine.wait(child)
    failures = 0
    machine.system.advance(1)
    expect(job.has(child.pid)).toBe(false)
    expect(failures).toBe(1)
  })

  it('is not asked once it has ended: it ran to get there', () => {
    const machine = new MadeMachine()
    const { job, inside, root } = follow(machine)
    root.work(3, 0, 7)
    machine.exit(root)
    job.lookAtEnded(root.pid, null)
    expect(inside.members.totals()).toMatchObject({ userTicks: 3, writeBytes: 7 })
    expect(machine.reads.get(`/proc/${root.pid}/schedstat`)).toBeUndefined()
  })

  it('is looked at as ever where the kernel does not tell, and asked only once', () => {
    const machine = new MadeMachine()
    const { root } = follow(machine)
    root.isScheduleKept = false
    machine.system.advance(5)
    expect(readsIn(machine, `/proc/${root.pid}/stat`, 30)).toBe(30)
    expect(machine.reads.get(`/proc/${root.pid}/schedstat`)).toBeUndefined()
  })

  it('is looked at as ever when it has several threads, of which only the first is told', () => {
    const machine = new MadeMachine()
    const { root } = follow(machine)
    root.threads = 2
    machine.system.advance(5)
    expect(readsIn(machine, `/proc/${root.pid}/stat`, 30)).toBe(30)
  })

  it('is seen at the next look when it does the least thing, down to a byte written', () => {
    const machine = new MadeMachine()
    const { inside, root } = follow(machine)
    machine.system.advance(5)
    for (let second = 1; second <= 25; second++) {
      root.work(0, 0, 1)
      machine.system.advance(1)
      expect(inside.members.totals().writeBytes).toBe(second)
    }
  })

  it('has its I/O read at the next look that asks for it, if the one that saw it stir did not', () => {
    const machine = new MadeMachine()
    const { inside, root } = follow(machine, { intervalSeconds: 0.1 })
    machine.system.advance(5.05)
    root.work(0, 0, 7)
    machine.system.advance(1.2)
    expect(inside.members.totals().writeBytes).toBe(7)
  })

  it('shows within ten seconds that others took its memory', () => {
    const machine = new MadeMachine()
    const { inside, root } = follow(machine)
    machine.system.advance(5)
    const schedstat = root.schedstat()
    root.schedstat = () => schedstat
    root.residentBytes /= 2
    machine.system.advance(10)
    expect(inside.members.residentPages * 4096).toBe(root.residentBytes)
  })

  it.each(['a zombie', 'gone'])('counts once when its parent is %s and another waits', (parent) => {
    const machine = new MadeMachine()
    const { meter, job, inside, root } = follow(machine)
    const middle = machine.start(root.pid)
    const child = machine.start(middle.pid)
    child.work(30, 0, 1000)
    machine.system.advance(6)
    // The root reaps the orphans of its family, as a shell in a container does.
    middle.state = 'Z'
    child.parentPid = root.pid
    if (parent === 'gone') machine.wait(middle)
    machine.system.advance(1)
    machine.exit(child)
    machine.wait(child)
    machine.system.advance(2)
    meter.refresh(job)
    expect(inside.members.totals()).toMatchObject({ userTicks: 30, readBytes: 1000 })
    expect(inside.members.unaccounted).toBe(0)
  })

  it('is never left out of what the job did, whenever it wakes up', () => {
    const step = fc.record({
      who: fc.nat(3),
      ticks: fc.constantFrom(0, 0, 0, 1),
      bytes: fc.constantFrom(0, 0, 0, 5),
      seconds: fc.constantFrom(0.05, 0.3, 1, 4),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const machine = new MadeMachine()
        const { meter, job, inside, root } = follow(machine, { intervalSeconds: 0.5 })
        const all = [root, ...Array.from({ length: 3 }, () => machine.start(root.pid))]
        for (const { who, ticks, bytes, seconds } of steps) {
          all[who]?.work(ticks, 0, bytes)
          machine.system.advance(seconds)
        }
        machine.system.advance(1.1)
        meter.refresh(job)
        const { userTicks, writeBytes } = inside.members.totals()
        let [ticks, bytes] = [0, 0]
        for (const { own } of all) {
          ticks += own.userTicks
          bytes += own.ioBytes
        }
        expect({ userTicks, writeBytes }).toEqual({ userTicks: ticks, writeBytes: bytes })
      }),
      { seed: 20261115, numRuns: 200 },
    )
  })
})
