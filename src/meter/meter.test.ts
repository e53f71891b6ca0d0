import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { follow } from '../../test/fuzz/follow.ts'
import { makeCgroup } from '../../test/fuzz/made-cgroup.ts'
import { MadeMachine, type MadeProcess } from '../../test/fuzz/made-machine.ts'
import { shippedGauges } from './gauges/shipped.ts'
import { Meter } from './meter.ts'

const secondsOf = (machine: MadeMachine): number => machine.system.clock.monotonicSeconds()

describe('following a job', () => {
  it('looks early and often at first, then at the interval', () => {
    const machine = new MadeMachine()
    const { meter, job, samples } = follow(machine)
    machine.system.advance(3.1)
    meter.finish(job, 3.1)
    const times = samples.map(({ elapsed_seconds }) => Number(elapsed_seconds.toFixed(6)))
    expect(times).toEqual([0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 3, 3.1])
    expect(job.samplesTaken).toBe(11)
  })

  it('serves jobs of different intervals with one timer', () => {
    const machine = new MadeMachine()
    const fast = follow(machine, { intervalSeconds: 0.1 })
    machine.system.advance(0.55)
    const slow = follow(machine, { intervalSeconds: 5, meter: fast.meter })
    machine.system.advance(10)
    expect(fast.job.lateLooks).toBe(0)
    expect(fast.job.samplesTaken).toBe(4 + 105)
    expect(slow.job.samplesTaken).toBe(7 + 2)
  })

  it.each([0.1, 1, 5, 60])(
    'holds samples for no more than a second, at an interval of %d s',
    (intervalSeconds) => {
      const machine = new MadeMachine()
      const { job, samples } = follow(machine, { intervalSeconds })
      let oldest: number | undefined
      for (let step = 0; step < 3000; step++) {
        machine.system.advance(0.05)
        if (samples.length === job.samplesTaken) oldest = undefined
        else oldest ??= secondsOf(machine)
        expect(secondsOf(machine) - (oldest ?? secondsOf(machine))).toBeLessThanOrEqual(1.06)
      }
      expect(samples.length).toBeGreaterThan(7)
    },
  )

  it('is not moved by a wall clock that is set back or forth', () => {
    const figures = [0, -86_400, 86_400].map((step) => {
      const machine = new MadeMachine()
      const { meter, job, root, samples } = follow(machine)
      for (let second = 0; second < 6; second++) {
        root.work(60)
        machine.system.advance(1)
        if (second === 2) machine.system.stepWallClock(step)
      }
      const usage = meter.finish(job, 6)
      return { usage, elapsed: samples.map(({ elapsed_seconds }) => elapsed_seconds) }
    })
    expect(figures[1]).toEqual(figures[0])
    expect(figures[2]).toEqual(figures[0])
    expect(figures[0]?.usage.cpuPercentPeak).toMatchObject({
      value: expect.closeTo(60),
      basis: 'at least: highest mean over 1 s or more',
    })
  })

  it('makes no 0 of memory that no gauge looks at', () => {
    const machine = new MadeMachine()
    const meter = new Meter(
      machine.system,
      shippedGauges.filter(({ name }) => name === 'cpu'),
    )
    const job = meter.follow({
      rootPid: machine.start().pid,
      intervalSeconds: 1,
      mark: null,
      cgroup: null,
      origin: 'running',
      launcherBytes: 0,
      onSamples: () => {},
    })
    machine.system.advance(2)
    expect(job.seen.memoryBytes).toBeNaN()
  })

  it('calls the mean of a job shorter than a second its peak, and says so', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine)
    root.work(20)
    machine.system.advance(0.4)
    const usage = meter.finish(job, 0.4)
    expect(usage.cpuPercentMean).toMatchObject({ value: 50 })
    expect(usage.cpuPercentPeak).toEqual({
      value: 50,
      basis: 'at least: mean of the whole job, which was shorter than 1 s',
    })
    expect(usage.cpuPercentP95).toEqual(usage.cpuPercentPeak)
  })

  it.each(['v1', 'v2', null] as const)(
    'sees a busy second between samples that are far apart, with a cgroup of %s',
    (kind) => {
      const machine = new MadeMachine()
      const root = machine.start()
      const cgroup = kind === null ? null : makeCgroup(machine, kind, () => [root.pid])
      const { meter, job } = follow(machine, { rootPid: root.pid, intervalSeconds: 5, cgroup })
      for (let tenth = 0; tenth < 45; tenth++) {
        if (tenth < 20) root.work(10)
        machine.system.advance(0.1)
      }
      const { cpuPercentPeak, cpuPercentP95 } = meter.finish(job, 4.5)
      expect(cpuPercentPeak.value).toBeCloseTo(100, -1)
      expect(cpuPercentP95.value).toBeCloseTo(100, -1)
    },
  )

  it.each(['v1', 'v2'] as const)(
    'shows a peak as a cgroup (%s) counts it, and cuts no ticks off',
    (kind) => {
      const machine = new MadeMachine({ host: { cores: 2, onlineCores: 2 } })
      const root = machine.start()
      const child = machine.start(root.pid)
      const cgroup = makeCgroup(machine, kind, () => [root.pid, child.pid])
      const { meter, job } = follow(machine, { rootPid: root.pid, cgroup })
      for (let step = 0; step < 300; step++) {
        for (const process of [root, child]) process.work(step % 100 < 50 ? 1 : 0)
        if (step % 50 === 25) root.work(1)
        machine.system.advance(0.02)
      }
      const { cpuPercentPeak } = meter.finish(job, 6)
      expect(cpuPercentPeak.value).toBeGreaterThan(100.5)
    },
  )

  it.each(['v1', 'v2'] as const)(
    'seldom lists a cgroup (%s) in which all sleep, and finds who was moved in all the same',
    (kind) => {
      const machine = new MadeMachine()
      const root = machine.start()
      const members = [root.pid]
      const cgroup = makeCgroup(machine, kind, () => members)
      const { meter, job } = follow(machine, { rootPid: root.pid, cgroup })
      machine.system.advance(5)
      const listed = machine.readsOf('cgroup.procs')
      machine.system.advance(20)
      expect(machine.readsOf('cgroup.procs') - listed).toBeLessThanOrEqual(2)
      members.push(machine.start().pid)
      machine.system.advance(11)
      expect(job.livingProcesses).toBe(2)
      root.work(1)
      members.push(machine.start().pid)
      machine.system.advance(1)
      expect(job.livingProcesses).toBe(3)
      meter.finish(job, 37)
    },
  )

  it.each([1, 4, 5, 10])('tells one busy thread of one (samples every %d s)', (intervalSeconds) => {
    const machine = new MadeMachine({ host: { cores: 2, onlineCores: 2 } })
    const { meter, job, root } = follow(machine, { intervalSeconds })
    for (let tick = 0; tick < 1100; tick++) {
      root.work(1)
      machine.system.advance(0.01)
    }
    const { cpuPercentPeak, cpuPercentP95 } = meter.finish(job, 11)
    expect(cpuPercentPeak.value).toBeCloseTo(100, -1)
    expect(cpuPercentP95.value).toBeCloseTo(100, -1)
  })

  it.each([0.5, 1, 5, 60])(
    'counts all that busy cores did, however far samples are apart (%d s)',
    (intervalSeconds) => {
      const machine = new MadeMachine({ host: { cores: 2, onlineCores: 2 } })
      const { meter, job, root } = follow(machine, { intervalSeconds })
      const workers = Array.from({ length: machine.system.host.onlineCores }, () =>
        machine.start(root.pid),
      )
      for (let tenth = 0; tenth < 48; tenth++) {
        for (const worker of workers) worker.work(10)
        machine.system.advance(0.1)
      }
      for (const worker of workers) {
        machine.exit(worker)
        machine.wait(worker)
      }
      machine.system.advance(0.1)
      const { cpuTotalSeconds, cpuPercentPeak } = meter.finish(job, 4.9)
      expect(cpuTotalSeconds.value).toBeCloseTo(workers.length * 4.8)
      expect(cpuPercentPeak.value).toBeCloseTo(workers.length * 100, -1)
    },
  )

  it('counts families on a busy machine once and wholly, whatever the interval', () => {
    const happening = fc.constantFrom('fork', 'fork', 'end', 'ambush', 'work', 'work', 'work')
    const lives = fc.array(fc.tuple(happening, fc.nat()), { minLength: 20, maxLength: 120 })
    fc.assert(
      fc.property(lives, fc.constantFrom(0.3, 1, 5, 60), (life, intervalSeconds) => {
        const machine = new MadeMachine({ host: { cores: 2, onlineCores: 2 } })
        const { meter, job, root } = follow(machine, { intervalSeconds })
        const family = [root]
        const orphans: MadeProcess[] = []
        const end = (index: number): void => {
          const [process] = family.splice(index, 1)
          if (process === undefined) return
          machine.exit(process)
          if (process.parentPid === 1) orphans.push(process)
          else machine.wait(process)
        }
        // Children whose parent ended come to us, and are ours to wait for, though never in the middle of a look.
        const reap = (): void => {
          for (const orphan of orphans.splice(0)) machine.reapOrphan(orphan)
        }
        const pick = (at: number): number => 1 + (at % (family.length - 1))
        for (const [what, at] of life) {
          if (what === 'fork' && family.length < 12)
            family.push(machine.start(family[at % family.length]?.pid))
          if (what === 'end' && family.length > 1) end(pick(at))
          reap()
          // In the middle of a look one ends, and then whoever waited for it, as far as the main process.
          if (what === 'ambush' && family.length > 1)
            machine.onceAfterReading(`/proc/${family[pick(at)]?.pid}/stat`, () => {
              let index = family.length > 1 ? pick(at >> 4) : 0
              while (index > 0) {
                const { parentPid } = family[index] ?? root
                end(index)
                index = family.findIndex(({ pid }) => pid === parentPid)
              }
            })
          // The newest have the cores: what they did is lost, or counted twice, most easily.
          for (const process of family.slice(-machine.system.host.onlineCores)) process.work(10, 0)
          machine.system.advance(0.1)
          reap()
        }
        machine.calmDown()
        while (family.length > 1) end(1)
        reap()
        const seconds = job.elapsedSeconds()
        const { cpuTotalSeconds, cpuPercentPeak } = meter.finish(job, seconds)
        let usedTicks = 0
        for (const { own } of machine.processes.values()) usedTicks += own.userTicks
        expect(cpuTotalSeconds.value).toBeCloseTo(usedTicks / 100)
        expect(cpuPercentPeak.value).toBeLessThanOrEqual(100 * machine.system.host.onlineCores)
      }),
      { numRuns: 300 },
    )
  })

  it('calls the CPU peak a lower bound where looks came too late to see one second', () => {
    const machine = new MadeMachine()
    const { clock } = machine.system
    let stoppedSeconds = 0
    const monotonicSeconds = () => clock.monotonicSeconds() + stoppedSeconds
    const system = { ...machine.system, clock: { ...clock, monotonicSeconds } }
    const { meter, job, root } = follow(machine, { system })
    machine.system.advance(1)
    root.work(200)
    stoppedSeconds = 4
    const basis = (figure: string) => `at least: ${figure}; for 4 s, looks were over 1.5 s apart`
    expect(meter.finish(job, 5)).toMatchObject({
      cpuPercentPeak: { value: expect.closeTo(50), basis: basis('highest mean over 1 s or more') },
      cpuPercentP95: { value: expect.closeTo(50), basis: basis('windows of 1 s or more') },
    })
  })

  it('counts processes and threads at their most', () => {
    const machine = new MadeMachine()
    const { meter, job, root } = follow(machine)
    const child = machine.start(root.pid)
    child.threads = 7
    meter.refresh(job)
    machine.exit(child)
    machine.wait(child)
    machine.system.advance(1)
    const usage = meter.finish(job, 1)
    expect(usage.processesPeak).toMatchObject({ value: 2 })
    expect(usage.threadsPeak).toMatchObject({ value: 8 })
    expect(usage.processesStarted).toEqual({
      value: null,
      why: expect.stringContaining('at least 2'),
    })
  })

  it('leaves others of the process three quarters of the time where looks take long', () => {
    const machine = new MadeMachine()
    let seconds = 0
    const look = (): void => {
      if (secondsOf(machine) - began < 1) return
      machine.system.stall(2)
      seconds += 2
    }
    const follows = { ask: () => {}, glance: () => {}, look, figures: () => ({}) }
    const gauge = { name: 'slow', columns: [], figures: [], follow: () => follows }
    const began = secondsOf(machine)
    follow(machine, { meter: new Meter(machine.system, [gauge]) })
    machine.system.advance(81)
    expect(seconds).toBeGreaterThanOrEqual(18)
    expect(seconds).toBeLessThanOrEqual(22)
  })

  it('has gauges ask before anything is read, so that answers come meanwhile', () => {
    const machine = new MadeMachine()
    const { files } = machine.system
    const order: string[] = []
    const note = (what: string): void => void (order.at(-1) === what || order.push(what))
    const read: typeof files.read = (...given) => (note('read'), files.read(...given))
    const readText: typeof files.readText = (path) => (note('read'), files.readText(path))
    const follows = {
      ask: () => note('ask'),
      glance: () => note('glance'),
      look: () => note('look'),
      figures: () => ({}),
    }
    const gauge = { name: 'slow', columns: [], figures: [], follow: () => follows }
    const meter = new Meter({ ...machine.system, files: { ...files, read, readText } }, [gauge])
    const job = meter.follow({
      rootPid: machine.start().pid,
      intervalSeconds: 1.5,
      mark: null,
      cgroup: null,
      origin: 'launched',
      launcherBytes: 0,
      onSamples: () => {},
    })
    machine.system.advance(1.49)
    const wanted = ['ask', 'read', 'look', 'ask', 'read', 'look', 'ask', 'read', 'glance']
    order.length = 0
    meter.lookAt(job)
    // A look that is due, and a glance a second later.
    machine.system.advance(1.4)
    expect(order).toEqual(wanted)
  })

  it('gives every descriptor back', () => {
    const machine = new MadeMachine()
    const open = new Set<number>()
    const { files } = machine.system
    const system = {
      ...machine.system,
      files: {
        ...files,
        open(path: string) {
          const descriptor = files.open(path)
          if (descriptor >= 0) open.add(descriptor)
          return descriptor
        },
        close(descriptor: number) {
          if (!open.delete(descriptor)) throw new Error(`${descriptor} was not open`)
          files.close(descriptor)
        },
      },
    }
    const { meter, job, root } = follow(machine, { system })
    const child = machine.start(root.pid)
    machine.start(root.pid)
    machine.system.advance(2)
    machine.exit(child)
    machine.wait(child)
    machine.system.advance(2)
    expect(open.size).toBeGreaterThan(4)
    meter.finish(job, 4)
    meter.close()
    expect([...open]).toEqual([])
  })

  it('keeps no more descriptors than allowed, and measures the same without', () => {
    const figures = [256, 3, 0].map((keptDescriptors) => {
      const machine = new MadeMachine({ host: { keptDescriptors } })
      const { meter, job, root } = follow(machine)
      const child = machine.start(root.pid)
      child.work(30, 10, 99)
      machine.system.advance(2)
      machine.exit(child)
      machine.wait(child)
      return meter.finish(job, 2)
    })
    expect(figures[1]).toEqual(figures[0])
    expect(figures[2]).toEqual(figures[0])
  })
})

describe('a process that was running already', () => {
  it('counts from the start of watching', () => {
    const machine = new MadeMachine()
    const root = machine.start(77)
    const child = machine.start(root.pid)
    root.work(5000, 100, 10_000_000)
    child.work(300, 0, 500)
    machine.system.advance(60)
    const { meter, job, samples } = follow(machine, {
      rootPid: root.pid,
      origin: 'running',
      mark: null,
    })
    expect(job.has(child.pid)).toBe(true)
    root.work(70, 0, 4096)
    child.work(30, 0, 4)
    machine.system.advance(2)
    const usage = meter.finish(job, 2)
    expect(usage.cpuUserSeconds).toMatchObject({ value: 1 })
    expect(usage.cpuSystemSeconds).toMatchObject({ value: 0 })
    expect(usage.readBytes).toMatchObject({ value: 4100 })
    expect(usage.minorFaults).toMatchObject({ value: 100 })
    expect(samples[0]).toMatchObject({ cpu_user_seconds: 0, read_bytes: 0, minor_faults: 0 })
    expect(usage.cpuPercentPeak).toMatchObject({
      value: expect.toSatisfy((percent: number) => percent <= 101),
    })
  })

  it('includes all that children starting later used', () => {
    const machine = new MadeMachine()
    const root = machine.start(77)
    root.work(900)
    const { meter, job } = follow(machine, { rootPid: root.pid, origin: 'running', mark: null })
    const child = machine.start(root.pid)
    child.work(40)
    machine.system.advance(2)
    machine.exit(child)
    machine.wait(child)
    expect(meter.finish(job, 2).cpuUserSeconds).toMatchObject({ value: 0.4 })
  })

  it('does not take in an orphan that we adopted from somebody else', () => {
    const machine = new MadeMachine()
    const root = machine.start(77)
    const { meter, job } = follow(machine, { rootPid: root.pid, origin: 'running', mark: null })
    const other = machine.start(1)
    other.work(40)
    meter.refresh(job)
    machine.reapOrphan(other)
    expect(meter.finish(job, 2).cpuUserSeconds).toMatchObject({ value: 0 })
  })

  it('is found with its children when another one is watched already', () => {
    const machine = new MadeMachine()
    const first = machine.start(77)
    const second = machine.start(77)
    const child = machine.start(second.pid)
    const meter = new Meter(machine.system)
    const running = { meter, origin: 'running', mark: null } as const
    follow(machine, { ...running, rootPid: first.pid })
    const { job } = follow(machine, { ...running, rootPid: second.pid })
    expect(job.has(child.pid)).toBe(true)
  })
})

describe('a clock that is set while a job runs', () => {
  it.each([3600, -3600])('leaves the times of its samples in order (%d s)', (jump) => {
    const machine = new MadeMachine()
    const { meter, job, samples } = follow(machine)
    machine.system.advance(3)
    machine.system.stepWallClock(jump)
    machine.system.advance(3)
    meter.finish(job, 6)
    const starts = samples.map((sample) => sample.timestamp - sample.elapsed_seconds)
    expect(starts.length).toBeGreaterThan(5)
    expect(new Set(starts.map((start) => start.toFixed(5))).size).toBe(1)
  })
})

describe('several jobs', () => {
  it('tell their orphans apart by the mark in the environment', () => {
    const machine = new MadeMachine()
    const one = follow(machine, { mark: 'JOBMETER_TASK_ID=one' })
    const two = follow(machine, { mark: 'JOBMETER_TASK_ID=two', meter: one.meter })
    const middle = machine.start(two.root.pid)
    const orphan = machine.start(middle.pid)
    orphan.environment = 'PATH=/bin\0JOBMETER_TASK_ID=two\0'
    machine.exit(middle)
    machine.wait(middle)
    orphan.work(33)
    const nobodys = machine.start(1)
    nobodys.environment = 'PATH=/bin\0'
    machine.system.advance(1)
    expect(one.job.has(orphan.pid)).toBe(false)
    expect(two.job.has(orphan.pid)).toBe(true)
    expect([one, two].some(({ job }) => job.has(nobodys.pid))).toBe(false)
    machine.reapOrphan(orphan)
    expect(two.meter.finish(two.job, 1).cpuUserSeconds).toMatchObject({ value: 0.33 })
    expect(one.meter.finish(one.job, 1).cpuUserSeconds).toMatchObject({ value: 0 })
  })

  it('do not share children', () => {
    const machine = new MadeMachine()
    const one = follow(machine)
    const two = follow(machine, { meter: one.meter, mark: 'JOBMETER_TASK_ID=b' })
    machine.start(one.root.pid).work(10)
    machine.start(two.root.pid).work(20)
    machine.system.advance(1)
    expect(one.meter.finish(one.job, 1).cpuUserSeconds).toMatchObject({ value: 0.1 })
    expect(two.meter.finish(two.job, 1).cpuUserSeconds).toMatchObject({ value: 0.2 })
  })
})

describe('a process that is watched', () => {
  it('does not have its watcher for a child, though it started it', () => {
    const machine = new MadeMachine()
    const root = machine.start()
    const watcher = machine.start(root.pid)
    const processes = { ...machine.system.processes, self: watcher.pid }
    const { meter, job } = follow(machine, {
      rootPid: root.pid,
      origin: 'running',
      system: { ...machine.system, processes },
    })
    machine.system.advance(2)
    expect(meter.finish(job, 2).processesPeak).toMatchObject({ value: 1 })
  })
})

describe('jobs that are started one after the other', () => {
  it('are looked at while the others are started, however long that takes', () => {
    const machine = new MadeMachine()
    const first = follow(machine)
    const children = [machine.start(first.root.pid), machine.start(first.root.pid)]
    machine.system.stall(0.5)
    const second = machine.start()
    first.meter.follow({ ...first.inside.request, rootPid: second.pid })
    for (const child of children) {
      machine.exit(child)
      machine.wait(child)
    }
    machine.system.advance(1)
    expect(first.meter.finish(first.job, 1).processesPeak).toMatchObject({ value: 3 })
  })
})
