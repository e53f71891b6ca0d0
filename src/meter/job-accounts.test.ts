import { describe, expect, it } from 'vitest'
import { follow } from '../../test/fuzz/follow.ts'
import { MadeMachine, accountOf } from '../../test/fuzz/made-machine.ts'
import { cpuUnseenIn } from '../model/usage.ts'
import type { Gauge } from './gauges/gauge.ts'
import { Meter } from './meter.ts'

/** A job whose main process has ended, and with a daemon that it left. */
function outlived(gauges?: readonly Gauge[]) {
  const machine = new MadeMachine()
  const meter = gauges && { meter: new Meter(machine.system, gauges) }
  const { job, root, ...followed } = follow(machine, meter)
  const daemon = machine.start(root.pid)
  daemon.work(30)
  machine.system.advance(1)
  machine.exit(root)
  job.lookAtEnded(root.pid, null)
  root.state = 'gone'
  job.retire(root.pid, accountOf(root))
  return { machine, job, daemon, usage: () => followed.meter.finish(job, 1) }
}

describe('the switches of a job', () => {
  it('are those of its main process and of all orphans that we reaped', () => {
    const { machine, daemon, usage } = outlived()
    machine.reapOrphan(daemon)
    const basis = 'kernel accounting at exit (wait4)'
    const { voluntarySwitches, involuntarySwitches } = usage()
    expect(voluntarySwitches).toEqual({ value: 6, basis })
    expect(involuntarySwitches).toEqual({ value: 4, basis })
  })

  it('are a lower bound where a process runs on', () => {
    expect(outlived().usage().voluntarySwitches).toEqual({
      value: 3,
      basis: 'at least: kernel accounting at exit (wait4), without processes still running',
    })
  })

  it('are a lower bound where the kernel tells nobody of some', () => {
    const { job, usage } = outlived()
    job.mayLackOrphan()
    expect(usage().involuntarySwitches).toMatchObject({ basis: expect.stringMatching(/^at least/) })
  })
})

describe('processes that end after the last look', () => {
  it.each([
    [1, 'of 1 process that'],
    [3, 'of 3 processes that'],
  ])('are not said to have been waited for by nobody (%d)', (processes, words) => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine, { origin: 'running', mark: null })
    for (let each = 1; each < processes; each++) machine.start(root.pid)
    machine.system.advance(1)
    for (const process of machine.processes.values()) process.state = 'gone'
    expect(meter.finish(job, 1).cpuTotalSeconds).toMatchObject({
      basis: expect.stringContaining(
        `${words} ended after the last look or that nobody waited for, only`,
      ),
    })
  })
})

const watching = { origin: 'running', mark: null } as const

describe('the time that a watched job went unseen', () => {
  const watched = () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine, { origin: 'running', mark: null })
    const advance = (seconds: number): void => {
      for (let each = 0; each < seconds; each++) {
        machine.system.advance(1)
        job.look(true)
      }
    }
    const unseenSeconds = (durationSeconds: number) =>
      cpuUnseenIn(meter.finish(job, durationSeconds))
    return { machine, root, advance, unseenSeconds }
  }

  it('is that between its last look and its end', () => {
    const { machine, root, advance, unseenSeconds } = watched()
    advance(5)
    machine.system.advance(0.5)
    root.state = 'gone'
    expect(unseenSeconds(5.5)).toBeCloseTo(0.5)
  })

  it('is also that in which other processes ended', () => {
    const { machine, root, advance, unseenSeconds } = watched()
    const daemon = machine.start(root.pid)
    advance(3)
    root.state = 'gone'
    daemon.parentPid = 1
    advance(3)
    daemon.state = 'gone'
    advance(1)
    expect(unseenSeconds(7)).toBeCloseTo(2)
  })

  it('is also that in which nobody looked for new processes', () => {
    const machine = new MadeMachine()
    let spentSeconds = 0
    const processes = {
      ...machine.system.processes,
      ownThreadCpuSeconds: () => (spentSeconds += 0.02),
    }
    const system = { ...machine.system, processes }
    const differences = { origin: 'running', mark: null, intervalSeconds: 0.1, system } as const
    const { meter, job: first, root } = follow(machine, differences)
    const passBusily = (): void => {
      for (let tenth = 0; tenth < 30; tenth++) {
        root.work(1)
        machine.start(77)
        machine.system.advance(0.1)
      }
    }
    passBusily()
    const { job: second } = follow(machine, { ...differences, meter })
    passBusily()
    const part = cpuUnseenIn(meter.finish(second, 3)) ?? NaN
    const all = cpuUnseenIn(meter.finish(first, 6)) ?? NaN
    expect(part).toBeGreaterThan(2)
    expect(part).toBeLessThan(3)
    expect(all).toBeGreaterThan(4)
  })

  it('is that before the look that found a process gone, however late it is told that nobody has its counters', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine, { ...watching, intervalSeconds: 60 })
    const middle = machine.start(root.pid)
    const leaf = machine.start(middle.pid)
    job.look(true)
    meter.refresh(job)
    machine.system.stall(5)
    leaf.work(400)
    machine.exit(middle)
    machine.wait(middle)
    machine.exit(leaf)
    leaf.state = 'gone'
    job.look(true)
    machine.system.advance(1)
    job.look(true)
    expect(cpuUnseenIn(meter.finish(job, job.elapsedSeconds()))).toBeCloseTo(5)
  })

  it.each([
    ['were waited for', true],
    ['stay dead', false],
  ])('is also that in which children that %s may have left others to init', (_, isWaitedFor) => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine, watching)
    for (let second = 0; second < 10; second++) {
      const middle = machine.start(root.pid)
      const worker = machine.start(middle.pid)
      machine.exit(middle)
      if (isWaitedFor) machine.wait(middle)
      worker.work(75)
      machine.exit(worker)
      worker.state = 'gone'
      machine.system.advance(1)
    }
    expect(cpuUnseenIn(meter.finish(job, 10))).toBeGreaterThan(8.9)
  })

  it.each([
    ['as many page faults as it is known to have had', 0, 0],
    ['a few more, as a program has when it ends', 4, 0],
    ['so many more that another may have come and gone', 60, 1],
  ])('knows a child that ended with %s', (_, faults, unseenSeconds) => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine, watching)
    const child = machine.start(root.pid)
    machine.system.advance(3)
    child.own.minorFaults += faults
    machine.exit(child)
    machine.wait(child)
    machine.system.advance(3)
    expect(cpuUnseenIn(meter.finish(job, 6))).toBe(unseenSeconds)
  })

  it('is not that of children who came and went in a job whose orphans come to us', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine)
    const daemon = machine.start(root.pid)
    for (let second = 0; second < 10; second++) {
      const child = machine.start(root.pid)
      machine.exit(child)
      machine.wait(child)
      machine.system.advance(1)
    }
    machine.exit(root)
    machine.system.endOrphan(root.pid, accountOf(root))
    daemon.state = 'gone'
    expect(cpuUnseenIn(meter.finish(job, 10))).toBe(0)
  })

  it('is none where it runs on', () => {
    const { advance, unseenSeconds } = watched()
    advance(5)
    expect(unseenSeconds(5)).toBe(0)
  })

  it('is not known where the kernel tells nobody of its children', () => {
    const { root, advance, unseenSeconds } = watched()
    root.ignoresChildren = true
    advance(5)
    expect(unseenSeconds(5)).toBeNull()
  })
})

describe('what the kernel tells of a job that no gauge looks at', () => {
  it('has its orphans in it', () => {
    const { machine, job, daemon, usage } = outlived([])
    machine.reapOrphan(daemon)
    usage()
    expect(job.told).toMatchObject({
      cpuTotalSeconds: { value: 0.3, basis: 'kernel accounting at exit (wait4)' },
      voluntarySwitches: { value: 6 },
    })
  })

  it('is a lower bound where a process runs on', () => {
    const { job, usage } = outlived([])
    usage()
    expect(job.told.cpuTotalSeconds?.value).toBe(0)
    expect(job.told.cpuTotalSeconds).toMatchObject({ basis: expect.stringMatching(/^at least/) })
  })
})
