import { describe, expect, it } from 'vitest'
import { isLowerBound } from '../../../model/measured.ts'
import { follow } from '../../../../test/fuzz/follow.ts'
import { makeCgroup } from '../../../../test/fuzz/made-cgroup.ts'
import { accountOf, MadeMachine, type MadeProcess } from '../../../../test/fuzz/made-machine.ts'

const megabytes = 2 ** 20

describe('the memory of a job', () => {
  it('counts pages shared by its processes once, and keeps the sum of resident sizes apart', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine)
    const readers = Array.from({ length: 4 }, () => machine.start(root.pid))
    for (const process of [root, ...readers]) {
      process.residentBytes = 500 * megabytes
      process.proportionalBytes = 100 * megabytes
      process.work(1)
    }
    meter.refresh(job)
    const usage = meter.finish(job, 1)
    expect(usage.memoryPeakBytes).toEqual({
      value: 500 * megabytes,
      basis:
        'at least: proportional sizes (PSS) at the high point; a peak between two looks may have been missed',
    })
    expect(usage.rssSumPeakBytes).toMatchObject({ value: 2500 * megabytes })
    expect(usage.largestProcessPeakBytes).toMatchObject({ value: 500 * megabytes })
    expect(usage.memoryMeanBytes).toMatchObject({
      basis: 'looks over time, shared pages counted once',
    })
  })

  it('adds private memory of several processes', () => {
    const machine = new MadeMachine()
    const { meter, job, root, samples } = follow(machine)
    root.residentBytes = 10 * megabytes
    for (let count = 0; count < 10; count++) machine.start(root.pid).residentBytes = 50 * megabytes
    meter.refresh(job)
    expect(meter.finish(job, 1).memoryPeakBytes).toMatchObject({ value: 510 * megabytes })
    expect(samples.at(-1)).toMatchObject({
      memory_bytes: 510 * megabytes,
      rss_bytes: 510 * megabytes,
      num_processes: 11,
    })
  })

  it('has a mean of what was held between samples that are far apart', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine, { intervalSeconds: 20 })
    root.residentBytes = 10 * megabytes
    machine.system.advance(1)
    root.residentBytes = 110 * megabytes
    root.work(1)
    machine.system.advance(9)
    const { value } = meter.finish(job, 10).memoryMeanBytes
    expect(value).toBeGreaterThan(90 * megabytes)
  })

  it('is not told of processes that are ending and have let go of theirs', () => {
    const machine = new MadeMachine()
    const { meter, job, root, samples } = follow(machine)
    root.residentBytes = 50 * megabytes
    machine.system.advance(1.5)
    root.residentBytes = 0
    root.work(1)
    machine.system.advance(1)
    const usage = meter.finish(job, 2.5)
    const told = samples.map((sample) => sample.memory_bytes)
    expect(told).toContain(50 * megabytes)
    expect(told).not.toContain(0)
    expect(samples.at(-1)).toMatchObject({ memory_bytes: NaN, rss_bytes: NaN, num_processes: 1 })
    expect(usage.memoryMeanBytes).toMatchObject({ value: 50 * megabytes })
  })

  it('follows a copy of a shell that becomes another program: what came since is its own', () => {
    const machine = new MadeMachine()
    const { meter, job, root, samples } = follow(machine)
    const child = machine.start(root.pid)
    for (const process of [root, child]) {
      process.residentBytes = 2 * megabytes
      process.proportionalBytes = 0.4 * megabytes
      process.work(1)
    }
    meter.refresh(job)
    child.residentBytes = 22 * megabytes
    child.highWaterBytes = 22 * megabytes
    child.proportionalBytes = 20.4 * megabytes
    child.work(1)
    meter.refresh(job)
    meter.finish(job, 1)
    const told = samples.at(-1)?.memory_bytes ?? 0
    expect(told / megabytes).toBeGreaterThan(20)
    expect(told / megabytes).toBeLessThanOrEqual(24)
  })

  it('sees children write to what they share, though no resident size changes', () => {
    const machine = new MadeMachine()
    const { meter, job, root, samples } = follow(machine)
    const child = machine.start(root.pid)
    const hold = (proportional: number, faults: number): void => {
      for (const process of [root, child]) {
        process.residentBytes = 100 * megabytes
        process.proportionalBytes = proportional * megabytes
        process.work(1)
        process.own.minorFaults += faults
      }
      machine.system.advance(1)
    }
    hold(50, 0)
    hold(100, (50 * megabytes) / 4096)
    hold(100, 0)
    const usage = meter.finish(job, 3)
    expect(usage.memoryPeakBytes.value).toBe(200 * megabytes)
    expect(samples.at(-1)).toMatchObject({ memory_bytes: 200 * megabytes })
  })

  it('says "at least" where children may have written to what they shared after the last look', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine)
    const child = machine.start(root.pid)
    for (const process of [root, child]) {
      process.residentBytes = 100 * megabytes
      process.proportionalBytes = 50 * megabytes
      process.work(1)
    }
    machine.system.advance(1.5)
    root.own.minorFaults += (50 * megabytes) / 4096
    machine.exit(child)
    machine.exit(root)
    job.look(true)
    root.state = 'gone'
    job.retire(root.pid, { ...accountOf(root), largestProcessBytes: 100 * megabytes })
    const { memoryPeakBytes } = meter.finish(job, 1.6)
    expect(memoryPeakBytes).toMatchObject({ value: 100 * megabytes })
    expect(isLowerBound(memoryPeakBytes)).toBe(true)
  })

  it('takes growth while it is being looked at for no spike beside what others hold', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine)
    const child = machine.start(root.pid)
    // The child maps what the root has mapped before it: what both have counts half for each.
    const hold = (ofRoot: number, ofChild: number): void => {
      root.residentBytes = ofRoot * megabytes
      root.proportionalBytes = (ofRoot - ofChild / 2) * megabytes
      child.residentBytes = ofChild * megabytes
      child.proportionalBytes = (ofChild / 2) * megabytes
      for (const process of [root, child]) process.work(1)
    }
    hold(150, 40)
    machine.system.advance(1)
    hold(200, 80)
    machine.onceAfterReading(`/proc/${child.pid}/stat`, () => hold(200, 120))
    machine.system.advance(1)
    machine.system.advance(1)
    expect(meter.finish(job, 3).memoryPeakBytes).toMatchObject({ value: 200 * megabytes })
  })

  it('reads no proportional size for a single process', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine)
    root.residentBytes = 900 * megabytes
    machine.system.advance(5)
    expect(meter.finish(job, 5).memoryPeakBytes).toEqual({
      value: 900 * megabytes,
      basis: 'resident size; a peak between two looks may have been missed',
    })
    expect(machine.readsOf('smaps_rollup')).toBe(0)
  })

  it('reads none while hundreds of processes are being started and the cgroup tells what is held', () => {
    const machine = new MadeMachine()
    const root = machine.start()
    const all = [root]
    const cgroup = makeCgroup(machine, 'v1', () => all.map(({ pid }) => pid))
    const held = () => `total_cache 0\ntotal_rss ${all.length * megabytes}\ntotal_swap 0\n`
    machine.system.tree.set('/cg1/memory/job/memory.stat', held)
    for (const file of ['memory.usage_in_bytes', 'memory.max_usage_in_bytes'])
      machine.system.tree.set(`/cg1/memory/job/${file}`, () => `${all.length * megabytes}\n`)
    const { usageNow } = follow(machine, { rootPid: root.pid, cgroup })
    machine.system.advance(0.011)
    const startUntil = (seconds: number): void => {
      for (let count = 0; count < 120; count++) all.push(machine.start(root.pid))
      for (const process of all) process.proportionalBytes = 1.5 * megabytes
      machine.system.advance(seconds - machine.system.clock.monotonicSeconds())
    }
    for (const seconds of [0.021, 0.051, 0.101, 0.201]) {
      startUntil(seconds)
      expect(machine.readsOf('smaps_rollup')).toBe(0)
      expect(usageNow().memoryPeakBytes).toEqual({
        value: all.length * megabytes,
        basis: 'memory.stat of the cgroup',
      })
    }
    // By less than a quarter.
    startUntil(0.501)
    expect(machine.readsOf('smaps_rollup')).toBe(all.length)
    expect(usageNow().memoryPeakBytes).toEqual({
      value: all.length * 1.5 * megabytes,
      basis: 'proportional sizes (PSS) at the high point',
    })
  })

  it('reads proportional sizes only when there is a new high', () => {
    const machine = new MadeMachine()
    const { root, usageNow } = follow(machine)
    const child = machine.start(root.pid)
    child.residentBytes = root.residentBytes = 100 * megabytes
    machine.system.advance(20)
    const reads = machine.readsOf('smaps_rollup')
    expect(reads).toBeGreaterThan(0)
    machine.system.advance(100)
    expect(machine.readsOf('smaps_rollup')).toBe(reads)
    child.residentBytes = 50 * megabytes
    machine.system.advance(100)
    expect(machine.readsOf('smaps_rollup')).toBe(reads)
    child.residentBytes = 200 * megabytes
    machine.system.advance(2)
    expect(machine.readsOf('smaps_rollup')).toBeGreaterThan(reads)
    expect(usageNow().memoryPeakBytes.value).toBe(300 * megabytes)
  })

  it('holds back when reading proportional sizes takes long', () => {
    const machine = new MadeMachine()
    const { root } = follow(machine)
    const child = machine.start(root.pid)
    // 30 ms a read, as for a process of 4 GB; both grow all the time, so each look is a new high.
    const slow = machine.slowDown('smaps_rollup', 0.03)
    for (let second = 0; second < 100; second++) {
      child.residentBytes = root.residentBytes = (100 + second * 10) * megabytes
      machine.system.advance(1)
    }
    const seconds = machine.system.clock.monotonicSeconds()
    expect(slow.spentSeconds()).toBeGreaterThan(0.2)
    // One hundredth of the time, a start of 50 ms, and the one reading that goes over.
    expect(slow.spentSeconds()).toBeLessThan(seconds * 0.01 + 0.05 + 0.06)
  })

  it('says when shared pages could not be told', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine)
    root.isPrivate = true
    const child = machine.start(root.pid)
    child.isPrivate = true
    child.residentBytes = root.residentBytes = 100 * megabytes
    meter.refresh(job)
    const usage = meter.finish(job, 1)
    expect(usage.memoryPeakBytes).toEqual({
      value: 200 * megabytes,
      basis: 'sum of resident sizes: shared pages count once per process',
    })
    expect(usage.memoryMeanBytes).toMatchObject({
      basis: 'looks over time, shared pages counted once per process',
    })
  })

  it('sees a spike between two looks by the high-water mark, with what others held beside it', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine)
    const child = machine.start(root.pid)
    root.residentBytes = 100 * megabytes
    child.residentBytes = 20 * megabytes
    machine.system.advance(3)
    child.highWaterBytes = 300 * megabytes
    child.work(5)
    machine.system.advance(3)
    const usage = meter.finish(job, 6)
    expect(usage.memoryPeakBytes).toEqual({
      value: 400 * megabytes,
      basis:
        'at least: high-water mark of a process (VmHWM); between looks its processes held more',
    })
    expect(usage.largestProcessPeakBytes).toMatchObject({ value: 300 * megabytes })
  })

  it('adds to a spike no process that ended before it, nor one that started after it', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine)
    const hold = (): MadeProcess => {
      const child = machine.start(root.pid)
      child.residentBytes = 100 * megabytes
      machine.system.advance(2)
      return child
    }
    const first = hold()
    machine.exit(first)
    machine.wait(first)
    root.highWaterBytes = 150 * megabytes
    root.work(5)
    hold()
    const { value } = meter.finish(job, 4).memoryPeakBytes
    expect(value).toBe(150 * megabytes)
  })

  it('adds to a spike nothing that others may have let go and taken again', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine)
    const child = machine.start(root.pid)
    root.residentBytes = 100 * megabytes
    child.residentBytes = 20 * megabytes
    machine.system.advance(3)
    child.highWaterBytes = 300 * megabytes
    child.work(5)
    root.own.minorFaults += (60 * megabytes) / 4096
    machine.system.advance(3)
    expect(meter.finish(job, 6).memoryPeakBytes.value).toBe(340 * megabytes)
  })

  it('does not add a mark that a forked child may have from its parent', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine)
    root.residentBytes = 300 * megabytes
    machine.system.advance(2)
    const child = machine.start(root.pid)
    child.residentBytes = 2 * megabytes
    child.proportionalBytes = megabytes
    child.highWaterBytes = 300 * megabytes
    machine.system.advance(2)
    expect(meter.finish(job, 4).memoryPeakBytes).toMatchObject({
      value: expect.toSatisfy((bytes: number) => bytes <= 302 * megabytes),
    })
  })

  it.each([
    { told: 45, expected: 4 },
    { told: 46, expected: 4 },
    { told: 60, expected: 60 },
  ])(
    'takes $told MB by wait4 as $expected MB where the launcher has 46 MB',
    ({ told, expected }) => {
      const machine = new MadeMachine()
      const { meter, job, root } = follow(machine, { launcherBytes: 46 * megabytes })
      machine.exit(root)
      job.look(true)
      root.state = 'gone'
      job.retire(root.pid, { ...accountOf(root), largestProcessBytes: told * megabytes })
      const usage = meter.finish(job, 0.1)
      expect(usage.memoryPeakBytes).toMatchObject({ value: expected * megabytes })
      expect(usage.largestProcessPeakBytes).toMatchObject({ value: expected * megabytes })
    },
  )

  it('has no figure, and a reason, for a job that was never seen alive', () => {
    const machine = new MadeMachine()
    const root = machine.start()
    machine.exit(root)
    const { meter, job } = follow(machine, { rootPid: root.pid })
    const usage = meter.finish(job, 0.001)
    for (const key of [
      'memoryPeakBytes',
      'memoryMeanBytes',
      'memoryMinBytes',
      'processesPeak',
      'swapPeakBytes',
    ])
      expect(usage).toHaveProperty(key, { value: null, why: expect.stringContaining('it ended') })
  })

  it('tells swap, and that a machine without swap has none', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine)
    machine.system.advance(2)
    // Without doing anything: the kernel takes pages from those that sleep.
    root.swapBytes = 3 * megabytes
    root.residentBytes -= 3 * megabytes
    machine.system.advance(12)
    root.swapBytes = 0
    root.residentBytes += 3 * megabytes
    root.work(1)
    machine.system.advance(2)
    expect(meter.finish(job, 16).swapPeakBytes).toMatchObject({ value: 3 * megabytes })
    const bare = new MadeMachine()
    bare.system.tree.set('/proc/meminfo', 'MemTotal: 900 kB\nMemAvailable: 9 kB\nSwapTotal: 0 kB\n')
    const other = follow(bare)
    expect(other.meter.finish(other.job, 1).swapPeakBytes).toEqual({
      value: 0,
      basis: 'the machine has no swap',
    })
  })
})
