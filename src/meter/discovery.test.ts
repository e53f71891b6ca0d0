import { describe, expect, it } from 'vitest'
import { follow } from '../../test/fuzz/follow.ts'
import { makeCgroup } from '../../test/fuzz/made-cgroup.ts'
import { MadeMachine } from '../../test/fuzz/made-machine.ts'

const secondsOf = (machine: MadeMachine): number => machine.system.clock.monotonicSeconds()

describe.each([
  { how: 'by lists of children', listsChildren: true },
  { how: 'through all of /proc', listsChildren: false },
])('looking for new processes $how', ({ listsChildren }) => {
  const made = (): MadeMachine => Object.assign(new MadeMachine(), { listsChildren })

  /** A machine whose system counts how often a file is opened or a directory listed. */
  function counting(machine: MadeMachine) {
    const looked = { times: 0 }
    const { files } = machine.system
    const count =
      <Args extends unknown[], Result>(call: (...args: Args) => Result) =>
      (...args: Args): Result => {
        looked.times += 1
        return call(...args)
      }
    const system = {
      ...machine.system,
      files: { ...files, list: count(files.list), open: count(files.open) },
    }
    return { system, looked }
  }

  it('is left out while the kernel has started none', () => {
    const machine = made()
    const { system, looked } = counting(machine)
    const { root, job } = follow(machine, { system, intervalSeconds: 0.1 })
    machine.system.advance(5)
    const before = looked.times
    machine.system.advance(0.5)
    expect(looked.times).toBe(before)
    const child = machine.start(root.pid)
    machine.system.advance(0.15)
    expect(looked.times).toBeGreaterThan(before)
    expect(job.has(child.pid)).toBe(true)
  })

  it('is put off while all known ones sleep, whatever strangers start, and not for longer', () => {
    const machine = made()
    const { system, looked } = counting(machine)
    const { root, job } = follow(machine, { system })
    const child = machine.start(root.pid)
    // On a busy machine something is started all the time, also while they fall asleep.
    for (let second = 0; second < 5; second++) {
      machine.start(77)
      machine.system.advance(1)
    }
    const before = looked.times
    for (let second = 0; second < 15; second++) {
      machine.start(77)
      machine.system.advance(1)
    }
    expect(looked.times).toBe(before)
    expect(job.livingProcesses).toBe(2)
    const grandchild = machine.start(child.pid)
    machine.system.advance(1)
    expect(job.has(grandchild.pid)).toBe(true)
    expect(job.livingProcesses).toBe(3)
    // It may still be about to appear: it is looked for once more.
    const later = machine.start(grandchild.pid)
    machine.system.advance(1)
    expect(job.has(later.pid)).toBe(true)
    expect(job.livingProcesses).toBe(4)
  })

  it('is not put off by one job for another, nor once the sleepers are gone', () => {
    const machine = made()
    const first = follow(machine)
    const second = follow(machine, { meter: first.meter, intervalSeconds: 10 })
    machine.system.advance(12)
    const child = machine.start(second.root.pid)
    machine.system.advance(1.1)
    expect([first.job.has(child.pid), second.job.has(child.pid)]).toEqual([false, true])
    machine.system.advance(5)
    machine.exit(first.root)
    machine.wait(first.root)
    const other = machine.start(child.pid)
    machine.system.advance(1.1)
    expect(second.job.has(other.pid)).toBe(true)
  })

  it('finds late children and theirs, whatever strangers do', () => {
    const machine = made()
    for (let count = 0; count < 50; count++) machine.start(77)
    const { root, job } = follow(machine)
    machine.system.advance(1.5)
    const children = Array.from({ length: 6 }, () => machine.start(root.pid))
    const grandchild = machine.start(children[5]?.pid)
    machine.start(77)
    machine.system.advance(1)
    expect([...children, grandchild].map(({ pid }) => job.has(pid))).not.toContain(false)
    expect(job.livingProcesses).toBe(8)
  })

  it('takes no job for the orphan of another', () => {
    const machine = made()
    const started = new Set<number>()
    const processes = {
      ...machine.system.processes,
      get startedEver() {
        return started.size
      },
      hasStarted: (pid: number) => started.has(pid),
    }
    const system = { ...machine.system, processes }
    const first = machine.start()
    started.add(first.pid)
    const one = follow(machine, {
      system,
      rootPid: first.pid,
      cgroup: makeCgroup(machine, 'v2', () => [first.pid]),
    })
    // One that is not even watched.
    const unwatched = machine.start()
    started.add(unwatched.pid)
    const second = machine.start()
    started.add(second.pid)
    const two = follow(machine, { system, meter: one.meter, rootPid: second.pid, mark: 'X=two' })
    const anybodys = machine.start(1)
    machine.system.advance(1)
    one.meter.refresh(two.job)
    for (const { pid } of [first, unwatched, anybodys]) expect(two.job.has(pid)).toBe(false)
    machine.reapOrphan(anybodys)
    expect(one.meter.finish(two.job, 1).cpuTotalSeconds).toMatchObject({
      basis: expect.stringMatching(
        /^at least: .*1 orphans may have belonged to this job or to another/,
      ),
    })
  })

  it('gives nobody the orphan of a job that is over', () => {
    const machine = made()
    const processes = { ...machine.system.processes, startedEver: 2 }
    const system = { ...machine.system, processes }
    const one = follow(machine, { system, mark: 'X=one' })
    const two = follow(machine, { system, mark: 'X=two', meter: one.meter })
    const left = machine.start(1)
    left.environment = 'X=one\0'
    const bare = machine.start(1)
    one.meter.finish(one.job, 1)
    machine.system.advance(2)
    for (const { pid } of [left, bare]) expect(two.job.has(pid)).toBe(false)
  })

  it('knows orphans by their session, though they threw their environment away', () => {
    const machine = made()
    const one = follow(machine, { mark: 'X=one' })
    const two = follow(machine, { mark: 'X=two', meter: one.meter })
    const middle = machine.start(two.root.pid)
    middle.sessionId = middle.pid
    machine.system.advance(1)
    const orphan = machine.start(middle.pid)
    orphan.sessionId = middle.pid
    machine.exit(middle)
    machine.wait(middle)
    machine.system.advance(1)
    expect(two.job.has(orphan.pid)).toBe(true)
    expect(one.job.has(orphan.pid)).toBe(false)
  })

  it('takes a fiftieth of the time where it is slow, and never waits for more than a second', () => {
    const machine = made()
    let spentSeconds = 0
    const { files } = machine.system
    const spend = (): void => {
      spentSeconds += 0.02
      machine.ownCpuSeconds += 0.02
      machine.system.advance(0.02)
    }
    const slow = {
      list(path: string) {
        if (path === '/proc') spend()
        return files.list(path)
      },
      open(path: string) {
        if (path.endsWith('/children') && !path.startsWith('/proc/1/')) spend()
        return files.open(path)
      },
    }
    const system = { ...machine.system, files: { ...files, ...slow } }
    const { root, job } = follow(machine, { system, intervalSeconds: 0.1 })
    for (let count = 0; count < 200; count++) {
      const child = machine.start(root.pid)
      machine.system.advance(0.1)
      // Only the root is worth asking here.
      machine.exit(child)
      machine.wait(child)
    }
    expect(spentSeconds).toBeLessThan(secondsOf(machine) * 0.04 + 0.06)
    const last = machine.start(root.pid)
    machine.system.advance(1.2)
    expect(job.has(last.pid)).toBe(true)
  })
})

describe('a cgroup that lists many processes at once', () => {
  const listed = (machine: MadeMachine) => {
    const opened: string[] = []
    const { files } = machine.system
    const open = (path: string): number => {
      opened.push(path)
      return files.open(path)
    }
    const root = machine.start()
    const members = [root.pid]
    const cgroup = makeCgroup(machine, 'v1', () => members)
    const system = { ...machine.system, files: { ...files, open } }
    const { job } = follow(machine, { system, rootPid: root.pid, cgroup })
    machine.system.advance(1.5)
    opened.length = 0
    for (let count = 0; count < 100; count++) members.push(machine.start(root.pid).pid)
    const opensOf = (ending: string): number =>
      opened.filter((path) => path.endsWith(ending)).length
    return { job, opensOf }
  }

  it('does not have each of them asked for its children, where it is half of the machine', () => {
    const machine = new MadeMachine()
    const { job, opensOf } = listed(machine)
    machine.system.advance(1)
    expect(job.livingProcesses).toBe(101)
    expect(opensOf('/children')).toBe(0)
  })

  it('is asked once a look, by the search or by the look', () => {
    const machine = new MadeMachine()
    const { opensOf } = listed(machine)
    machine.system.advance(1)
    expect(opensOf('/cgroup.procs')).toBe(1)
    machine.system.advance(3)
    expect(opensOf('/cgroup.procs')).toBe(4)
  })
})

describe('looking through all of /proc', () => {
  it('does not look into strangers again, until pids begin anew', () => {
    const machine = new MadeMachine()
    machine.listsChildren = false
    const stranger = machine.start(77)
    const { root } = follow(machine)
    machine.start(root.pid)
    machine.system.advance(1)
    const path = `/proc/${stranger.pid}/stat`
    const reads = machine.reads.get(path)
    machine.start(root.pid)
    machine.system.advance(1)
    expect(machine.reads.get(path)).toBe(reads)
    machine.lastPid = 300
    machine.system.advance(1)
    expect(machine.reads.get(path)).toBe((reads ?? 0) + 1)
  })

  it('finds daemons by their mark where orphans go to somebody else', () => {
    const machine = new MadeMachine()
    const processes = { ...machine.system.processes, adoptsOrphans: false }
    const { job } = follow(machine, { system: { ...machine.system, processes } })
    const daemon = machine.start(88)
    daemon.environment = 'PATH=/bin\0JOBMETER_TASK_ID=a\0'
    const stranger = machine.start(88)
    stranger.environment = 'PATH=/bin\0JOBMETER_TASK_ID=ab\0'
    machine.system.advance(1)
    expect(job.has(daemon.pid)).toBe(true)
    expect(job.has(stranger.pid)).toBe(false)
  })

  it('takes no stranger for its own by a mark that anybody can write', () => {
    const machine = new MadeMachine()
    const processes = { ...machine.system.processes, adoptsOrphans: false }
    const system = { ...machine.system, processes }
    const { job } = follow(machine, { system, mark: 'SLURM_JOB_ID=7', markUid: 1000 })
    const [daemon, stranger] = [1000, 1001].map((uid) =>
      Object.assign(machine.start(88), { uid, environment: 'SLURM_JOB_ID=7\0' }),
    )
    machine.system.advance(1)
    expect(job.has(daemon?.pid ?? 0)).toBe(true)
    expect(job.has(stranger?.pid ?? 0)).toBe(false)
  })
})
