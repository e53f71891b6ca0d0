import { describe, expect, it } from 'vitest'
import { isLowerBound } from '../../../model/measured.ts'
import { follow } from '../../../../test/fuzz/follow.ts'
import { makeCgroup } from '../../../../test/fuzz/made-cgroup.ts'
import { accountOf, MadeMachine, type MadeProcess } from '../../../../test/fuzz/made-machine.ts'

const megabytes = 2 ** 20

/** A job in a cgroup that has seen a peak, with so much page cache now, and so much ever read and written. */
function peakTold(told: { peak: number; cache: number; moved: number; isUnloaded?: true }) {
  const machine = new MadeMachine()
  const root = machine.start()
  if (told.isUnloaded) root.residentBytes = 0
  const cgroup = makeCgroup(machine, 'v1', () => [root.pid])
  const { tree } = machine.system
  tree.set('/cg1/memory/job/memory.max_usage_in_bytes', `${told.peak * megabytes}\n`)
  tree.set(
    '/cg1/memory/job/memory.stat',
    `total_cache ${told.cache * megabytes}\ntotal_rss 4194304\ntotal_shmem 0\ntotal_swap 0\n`,
  )
  const { meter, job } = follow(machine, { rootPid: root.pid, cgroup })
  // Both ways count in the made-up files: half is read, half is written.
  root.work(1, 0, (told.moved / 2) * megabytes)
  machine.system.advance(2)
  return meter.finish(job, 2).memoryPeakBytes
}

describe('the peak of a job in a cgroup', () => {
  it('is the cgroup’s where looks missed it, and nothing can have been page cache', () => {
    expect(peakTold({ peak: 300, cache: 0, moved: 0 })).toEqual({
      value: 300 * megabytes,
      basis: 'cgroup v1 memory.max_usage_in_bytes less page cache, kernel memory included',
    })
  })

  it('is a lower bound where no look found its program loaded: libraries are charged to others', () => {
    expect(peakTold({ peak: 0.25, cache: 0, moved: 0, isUnloaded: true })).toEqual({
      value: 0.25 * megabytes,
      basis:
        'at least: cgroup v1 memory.max_usage_in_bytes less page cache, kernel memory included',
    })
  })

  it('comes without a mean, and with the reason, where no look found memory but the kernel told a peak', () => {
    const machine = new MadeMachine()
    const root = machine.start()
    root.residentBytes = 0
    const { meter, job } = follow(machine, { rootPid: root.pid })
    root.state = 'gone'
    job.retire(root.pid, { ...accountOf(root), largestProcessBytes: 60 * megabytes })
    const usage = meter.finish(job, 0.01)
    expect(usage.memoryPeakBytes.value).toBe(60 * megabytes)
    const unseen = { value: null, why: 'it ended before its memory could be read' }
    expect(usage.memoryMeanBytes).toEqual(unseen)
    expect(usage.memoryMinBytes).toEqual(unseen)
  })

  it('is not what the runtime of a container held before its program was started', () => {
    const told = (later: number, early = 3.75) => {
      const machine = new MadeMachine()
      const root = machine.start()
      root.residentBytes = megabytes
      const made = makeCgroup(machine, 'v1', () => [root.pid])
      if (made === null) throw new Error('there is a cgroup')
      const { tree } = machine.system
      tree.set('/cg1/memory/job/memory.stat', 'total_cache 0\ntotal_rss 1048576\ntotal_shmem 0\n')
      let peak = early
      tree.set('/cg1/memory/job/memory.max_usage_in_bytes', () => `${peak * megabytes}\n`)
      const { meter, job } = follow(machine, {
        rootPid: root.pid,
        cgroup: { ...made, hadRuntime: true },
        origin: 'found',
      })
      machine.system.advance(1)
      peak = later
      machine.system.advance(1)
      return meter.finish(job, 2)
    }
    const small = told(3.75)
    expect(small.memoryPeakBytes).toEqual({
      value: megabytes,
      basis:
        'resident size; at most 3.8 MB by cgroup v1 memory.max_usage_in_bytes, in which the runtime of the container started it',
    })
    expect(small.cgroupMemoryPeakBytes).toMatchObject({
      basis:
        'cgroup v1 memory.max_usage_in_bytes, page cache and the start of its container included',
    })
    // What came after its program was started is its own, and no runtime holds so much.
    expect(told(5).memoryPeakBytes.value).toBe(5 * megabytes)
    expect(told(200, 200).memoryPeakBytes.value).toBe(200 * megabytes)
  })

  it('is a lower bound where a child that nobody saw may have had files of others, and wait4 is silent', () => {
    const told = (largestProcessBytes: number) => {
      const machine = new MadeMachine()
      const root = machine.start()
      const cgroup = makeCgroup(machine, 'v1', () => [root.pid])
      const { meter, job } = follow(machine, {
        rootPid: root.pid,
        cgroup,
        launcherBytes: 46 * megabytes,
      })
      const child = machine.start(root.pid)
      machine.system.advance(1)
      machine.exit(child)
      machine.wait(child)
      machine.system.advance(1)
      machine.exit(root)
      job.lookAtEnded(root.pid, null)
      root.state = 'gone'
      job.retire(root.pid, { ...accountOf(root), largestProcessBytes })
      return meter.finish(job, 2).memoryPeakBytes
    }
    expect(told(46 * megabytes)).toMatchObject({
      basis: expect.stringMatching(/^at least: .* a process of up to 50\.0 MB/),
    })
    expect(isLowerBound(told(60 * megabytes))).toBe(false)
  })

  it('is what was looked at where the cgroup has hardly more', () => {
    expect(peakTold({ peak: 4.125, cache: 0, moved: 0 })).toEqual({
      value: 4 * megabytes,
      basis: 'resident size',
    })
  })

  it('is what was looked at where all the rest is page cache', () => {
    expect(peakTold({ peak: 300, cache: 295, moved: 300 })).toEqual({
      value: 4 * megabytes,
      basis: 'resident size',
    })
  })

  it('has bounds where page cache may have been dropped since', () => {
    expect(peakTold({ peak: 300, cache: 10, moved: 100 })).toEqual({
      value: 200 * megabytes,
      basis:
        'at least: cgroup v1 memory.max_usage_in_bytes less page cache, kernel memory included; at most 300.0 MB by cgroup v1 memory.max_usage_in_bytes',
    })
    expect(peakTold({ peak: 300, cache: 10, moved: 600 })).toEqual({
      value: 4 * megabytes,
      basis: 'at least: resident size; at most 300.0 MB by cgroup v1 memory.max_usage_in_bytes',
    })
  })
})

describe('the peak of a job without a cgroup', () => {
  it('says from where on the kernel would have told of a moment between two looks', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine, { launcherBytes: 46 * megabytes })
    machine.system.advance(1)
    machine.exit(root)
    job.lookAtEnded(root.pid, null)
    root.state = 'gone'
    job.retire(root.pid, { ...accountOf(root), largestProcessBytes: 46 * megabytes })
    const usage = meter.finish(job, 1)
    expect(usage.memoryPeakBytes).toEqual({
      value: 4 * megabytes,
      basis: 'resident size; a peak between two looks below 50.0 MB may have been missed',
    })
    expect(usage.largestProcessPeakBytes).toMatchObject({
      basis: 'largest process: looks and VmHWM',
    })
  })

  it('is a lower bound where no look found its program loaded', () => {
    const machine = new MadeMachine()
    const root = machine.start()
    root.residentBytes = 0
    root.highWaterBytes = 16_384
    const { meter, job } = follow(machine, { rootPid: root.pid, launcherBytes: 46 * megabytes })
    machine.system.advance(1)
    machine.exit(root)
    job.lookAtEnded(root.pid, null)
    root.state = 'gone'
    job.retire(root.pid, { ...accountOf(root), largestProcessBytes: 46 * megabytes })
    const usage = meter.finish(job, 1)
    expect([usage.memoryPeakBytes, usage.largestProcessPeakBytes]).toEqual([
      {
        value: 16_384,
        basis:
          'at least: high-water mark of a process (VmHWM), read before its program was loaded; a peak between two looks below 50.0 MB may have been missed',
      },
      { value: 16_384, basis: 'at least: largest process: looks and VmHWM' },
    ])
  })

  it('is a lower bound where page faults since the last look could have brought more', () => {
    const told = (faults: number, hugePages = '[madvise]') => {
      const machine = new MadeMachine()
      machine.system.tree.set(
        '/sys/kernel/mm/transparent_hugepage/enabled',
        `always ${hugePages} never`,
      )
      const { meter, job, root } = follow(machine, { launcherBytes: 46 * megabytes })
      machine.system.advance(1)
      machine.exit(root)
      job.lookAtEnded(root.pid, null)
      root.state = 'gone'
      const account = accountOf(root)
      job.retire(root.pid, {
        ...account,
        minorFaults: account.minorFaults + faults,
        largestProcessBytes: 46 * megabytes,
      })
      const usage = meter.finish(job, 1)
      return [usage.memoryPeakBytes, usage.largestProcessPeakBytes].map(isLowerBound)
    }
    expect(told(100)).toEqual([false, false])
    expect(told(9000)).toEqual([true, true])
    expect(told(10, '[always]')).toEqual([true, true])
  })

  it('is a lower bound where the last look found it alive, but its high-water mark gone', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine, { launcherBytes: 46 * megabytes })
    machine.system.advance(1)
    root.own.minorFaults += 9000
    machine.onceAfterReading(`/proc/${root.pid}/stat`, () => machine.exit(root))
    job.look(true)
    root.state = 'gone'
    job.retire(root.pid, { ...accountOf(root), largestProcessBytes: 46 * megabytes })
    const usage = meter.finish(job, 1)
    const told = [usage.memoryPeakBytes, usage.largestProcessPeakBytes]
    expect(told.map(isLowerBound)).toEqual([true, true])
  })

  it.each([
    [
      'is a lower bound where looks came so late that several processes may have held more together',
      3,
    ],
    ['is what was looked at where looks came in time', 0],
  ])('%s', (_, stalledSeconds) => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine, { launcherBytes: 46 * megabytes })
    const child = machine.start(root.pid)
    child.residentBytes = 80 * megabytes
    machine.system.advance(1)
    machine.slowDown('loadavg', stalledSeconds)
    machine.system.advance(1)
    machine.slowDown('loadavg', 0)
    machine.system.advance(1)
    machine.exit(child)
    machine.wait(child)
    machine.exit(root)
    job.lookAtEnded(root.pid, null)
    root.state = 'gone'
    job.retire(root.pid, { ...accountOf(root), largestProcessBytes: 80 * megabytes })
    expect(isLowerBound(meter.finish(job, 4).memoryPeakBytes)).toBe(stalledSeconds > 0)
  })

  describe('with children that end between two looks', () => {
    /** Two processes of 60 MB for four seconds, and what happens in the midst of them. */
    function told(happens: (machine: MadeMachine, root: MadeProcess) => void) {
      const machine = new MadeMachine()
      const { meter, job, root } = follow(machine, { launcherBytes: 46 * megabytes })
      const other = machine.start(root.pid)
      for (const process of [root, other]) hold(process, 60)
      machine.system.advance(1.3)
      happens(machine, root)
      machine.system.advance(3)
      end(machine, other)
      machine.exit(root)
      job.lookAtEnded(root.pid, null)
      root.state = 'gone'
      job.retire(root.pid, { ...accountOf(root), largestProcessBytes: 60 * megabytes })
      const usage = meter.finish(job, 4.3)
      return [usage.memoryPeakBytes, usage.rssSumPeakBytes, usage.largestProcessPeakBytes].map(
        isLowerBound,
      )
    }
    const hold = (process: MadeProcess, size: number): void => {
      process.residentBytes = size * megabytes
      process.own.minorFaults += (size * megabytes) / 4096
    }
    const end = (machine: MadeMachine, process: MadeProcess): void => {
      machine.exit(process)
      machine.wait(process)
    }

    it('is a lower bound where no look saw them', () => {
      const happens = (machine: MadeMachine, root: MadeProcess): void => {
        const children = [1, 2, 3].map(() => machine.start(root.pid))
        for (const child of children) hold(child, 40)
        machine.system.advance(0.15)
        for (const child of children) end(machine, child)
      }
      expect(told(happens)).toEqual([true, true, false])
    })

    it('is a lower bound where one ended, and another started perhaps before that', () => {
      const happens = (machine: MadeMachine, root: MadeProcess): void => {
        const first = machine.start(root.pid)
        hold(first, 40)
        machine.system.advance(1)
        end(machine, first)
        hold(machine.start(root.pid), 40)
      }
      expect(told(happens)).toEqual([true, true, false])
    })

    it('is a lower bound where nobody waited for them', () => {
      const happens = (_: MadeMachine, root: MadeProcess): void => {
        root.ignoresChildren = true
      }
      expect(told(happens)).toEqual([true, true, true])
    })

    it('is what was looked at where looks saw all that they held', () => {
      const happens = (machine: MadeMachine, root: MadeProcess): void => {
        const children = [1, 2, 3].map(() => machine.start(root.pid))
        for (const child of children) hold(child, 40)
        machine.system.advance(2)
        // Pages given back and taken again: its mark tells that it never had more.
        root.own.minorFaults += 1e6
        machine.system.advance(1)
        for (const child of children) end(machine, child)
      }
      expect(told(happens)).toEqual([false, false, false])
      expect(told(() => {})).toEqual([false, false, false])
    })
  })

  it('is a lower bound where reading what new processes share was too dear', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine)
    const slow = machine.slowDown('smaps_rollup', 0.04)
    root.residentBytes = 100 * megabytes
    for (let count = 0; count < 20; count++) {
      machine.start(root.pid).residentBytes = 100 * megabytes
      machine.system.advance(0.2)
    }
    expect(slow.spentSeconds()).toBeGreaterThan(0)
    const peak = meter.finish(job, 4).memoryPeakBytes
    expect(peak).toMatchObject({
      basis: expect.stringMatching(/^at least: .*; at most 2100\.0 MB/),
    })
    expect(peak.value).toBeGreaterThanOrEqual(100 * megabytes)
    expect(peak.value).toBeLessThan(2100 * megabytes)
  })

  it('is never below the mean, and no first look adds up what later ones share', () => {
    const machine = new MadeMachine()
    const { meter, job, root, samples } = follow(machine)
    const readers = Array.from({ length: 3 }, () => machine.start(root.pid))
    for (const process of [root, ...readers]) {
      process.residentBytes = 200 * megabytes
      process.proportionalBytes = 50 * megabytes
    }
    machine.system.advance(3)
    const usage = meter.finish(job, 3)
    const highest = Math.max(...samples.map(({ memory_bytes }) => memory_bytes))
    expect(highest).toBe(200 * megabytes)
    expect(usage.memoryPeakBytes).toMatchObject({ value: 200 * megabytes })
    expect(usage.memoryMeanBytes.value).toBeLessThanOrEqual(200 * megabytes)
  })

  it('sees what stands for a second between samples that are far apart', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine, { intervalSeconds: 30 })
    machine.system.advance(5.5)
    const children = Array.from({ length: 3 }, () => machine.start(root.pid))
    for (const child of children) child.residentBytes = 100 * megabytes
    machine.system.advance(1.01)
    for (const child of children) {
      machine.exit(child)
      machine.wait(child)
    }
    machine.system.advance(5)
    const usage = meter.finish(job, 11.5)
    expect(usage.memoryPeakBytes).toMatchObject({ value: 304 * megabytes })
    expect(usage.processesPeak).toMatchObject({ value: 4 })
    expect(job.samplesTaken).toBe(7 + 1)
  })
})
