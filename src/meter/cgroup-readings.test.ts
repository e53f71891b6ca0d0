import { describe, expect, it } from 'vitest'
import { follow } from '../../test/fuzz/follow.ts'
import { makeCgroup } from '../../test/fuzz/made-cgroup.ts'
import { accountOf, MadeMachine } from '../../test/fuzz/made-machine.ts'

/** A cgroup of v1 whose job joins that of v2 when it is told to. */
function joiningLater(machine: MadeMachine, rootPid: number) {
  const both = makeCgroup(machine, 'both', () => [rootPid])
  let joined: string | null = null
  return {
    v1: both?.v1 ?? new Map<string, string>(),
    launcherCpuSeconds: 0,
    get joinsLater() {
      return joined === null
    },
    get v2() {
      return joined
    },
    join: () => (joined = '/cg2/job'),
  }
}

describe('a job in a cgroup of its own', () => {
  it('has the processes that the cgroup names, wherever they come from, and those that left it', () => {
    const machine = new MadeMachine()
    const root = machine.start()
    const inside = [root.pid]
    const { meter, job } = follow(machine, {
      rootPid: root.pid,
      cgroup: makeCgroup(machine, 'v2', () => inside),
    })
    const escaped = machine.start(77)
    inside.push(escaped.pid)
    const elsewhere = machine.start(root.pid)
    machine.system.advance(1)
    expect(job.has(escaped.pid)).toBe(true)
    expect(job.has(elsewhere.pid)).toBe(true)
    expect(meter.finish(job, 1).processesPeak).toMatchObject({ value: 3 })
  })

  it.each(['v1', 'v2', 'both'] as const)('takes CPU from %s, less what we used inside', (kind) => {
    const machine = new MadeMachine()
    const root = machine.start()
    const { meter, job } = follow(machine, {
      rootPid: root.pid,
      cgroup: makeCgroup(machine, kind, () => [root.pid]),
    })
    machine.system.advance(1)
    root.work(60, 20)
    const usage = meter.finish(job, 1)
    const basis = kind === 'v1' ? 'cgroup v1 cpuacct.usage' : 'cgroup v2 cpu.stat'
    expect(usage.cpuTotalSeconds).toEqual({ value: expect.closeTo(0.799), basis })
    expect(usage.cpuUserSeconds).toMatchObject({ value: expect.closeTo(0.6) })
    expect(usage.cgroupMemoryPeakBytes).toMatchObject({ value: 4 * 2 ** 20 })
    expect(usage.cpuPressureSeconds.value).toBe(kind === 'v1' ? null : 0.0012)
  })

  it('has its peak of memory from looks, as a lower bound, where the kernel keeps none', () => {
    const machine = new MadeMachine()
    const root = machine.start()
    const cgroup = makeCgroup(machine, 'v2', () => [root.pid])
    machine.system.tree.delete('/cg2/job/memory.peak')
    const { meter, job } = follow(machine, { rootPid: root.pid, cgroup })
    machine.system.advance(1)
    expect(meter.finish(job, 1).cgroupMemoryPeakBytes).toEqual({
      value: 4 * 2 ** 20,
      basis: 'at least: cgroup v2 memory.current at the looks, page cache included',
    })
  })

  it('has its peak of memory from looks where it was there before, and the kernel keeps a peak of that time', () => {
    const machine = new MadeMachine()
    const root = machine.start()
    const cgroup = makeCgroup(machine, 'v2', () => [root.pid])
    machine.system.tree.set('/cg2/job/memory.peak', () => `${2 ** 30}\n`)
    const { meter, job } = follow(machine, { rootPid: root.pid, cgroup, origin: 'running' })
    machine.system.advance(1)
    expect(meter.finish(job, 1).cgroupMemoryPeakBytes).toEqual({
      value: 4 * 2 ** 20,
      basis: 'at least: cgroup v2 memory.current at the looks, page cache included',
    })
  })

  it('that joins v2 before its first look has its CPU from where it began', () => {
    const machine = new MadeMachine()
    const root = machine.start()
    const cgroup = joiningLater(machine, root.pid)
    root.work(60, 20)
    const sinceJoined = `usage_usec 0\nuser_usec 0\nsystem_usec 0\n`
    machine.system.tree.set('/cg2/job/cpu.stat', () => sinceJoined)
    const { meter, job } = follow(machine, { rootPid: root.pid, cgroup })
    job.join(cgroup.join)
    machine.system.advance(1)
    expect(meter.finish(job, 1)).toMatchObject({
      cpuTotalSeconds: { value: 0.8, basis: 'cgroup v1 cpuacct.usage' },
      cpuPressureSeconds: { value: 0.0012 },
    })
  })

  it.each([
    [0.2, 3, 'at least: '],
    [0.2, 5, ''],
  ])('that told of pressure from %f of %f s on, tells "%s"', (joinedAt, seconds, bound) => {
    const machine = new MadeMachine()
    const root = machine.start()
    const cgroup = joiningLater(machine, root.pid)
    const { meter, job } = follow(machine, { rootPid: root.pid, cgroup })
    machine.system.advance(joinedAt)
    job.join(cgroup.join)
    job.look(true)
    machine.system.advance(seconds - joinedAt)
    const usage = meter.finish(job, seconds)
    for (const key of ['cpuPressureSeconds', 'ioPressureSeconds'] as const)
      expect(usage[key].value === null ? usage[key].why : usage[key].basis).toMatch(
        new RegExp(`^${bound}cgroup v2`),
      )
  })

  it('says whether the account of the kernel confirms the cgroup, and believes it where it knows more', () => {
    const cpuFor = (userSeconds: number) => {
      const machine = new MadeMachine()
      const root = machine.start()
      const { meter, job } = follow(machine, {
        rootPid: root.pid,
        cgroup: makeCgroup(machine, 'v2', () => [root.pid]),
      })
      machine.system.advance(1)
      root.work(50)
      job.look(true)
      machine.exit(root)
      job.retire(root.pid, { ...accountOf(root), userSeconds })
      return meter.finish(job, 1).cpuTotalSeconds
    }
    expect(cpuFor(0.5)).toEqual({
      value: expect.closeTo(0.5, 2),
      basis: 'cgroup v2 cpu.stat, confirmed by wait4',
    })
    expect(cpuFor(0.2)).toEqual({
      value: expect.closeTo(0.5, 2),
      basis: 'cgroup v2 cpu.stat; wait4 saw 0.20 s, the rest was never waited for',
    })
    expect(cpuFor(0.9)).toEqual({
      value: expect.closeTo(0.9, 2),
      basis: 'kernel accounting at exit (wait4); cgroup v2 cpu.stat saw only 0.50 s',
    })
  })

  it('keeps the last figure when its files fall silent', () => {
    const machine = new MadeMachine()
    const root = machine.start()
    const { meter, job } = follow(machine, {
      rootPid: root.pid,
      cgroup: makeCgroup(machine, 'v2', () => [root.pid]),
    })
    machine.system.advance(1)
    root.work(50)
    machine.system.advance(1)
    machine.garbleOnce('/cg2/job/cpu.stat', () => 'no such thing')
    machine.garbleOnce('/cg2/job/cpu.pressure', () => 'some total=99999999999\n')
    root.own.userTicks = 10
    const usage = meter.finish(job, 2)
    expect(usage.cpuUserSeconds).toMatchObject({ value: 0.5 })
    expect(usage.cpuPressureSeconds).toMatchObject({ value: 0.0012 })
  })
})
