import { describe, expect, it } from 'vitest'
import type { ProcessGpuUse } from '../gpus/node-gpus.ts'
import { noMarks, SeenProcess, type ProcessMarks } from '../processes/seen-process.ts'
import type { EndedProcess } from '../processes/ended-process.ts'
import { JobBook } from './job-book.ts'

const [ada, bob] = [1001, 1002]
const used = { cpuSeconds: 5, readBytes: 0, writeBytes: 0 }

function seen(
  pid: number,
  uid: number,
  cgroup: string,
  marks: Partial<ProcessMarks>,
  startTicks = 100 + pid,
): SeenProcess {
  const process = new SeenProcess(pid, startTicks)
  process.uid = uid
  process.command = `of ${uid}`
  process.cgroup = cgroup
  process.marks = { ...noMarks, ...marks }
  return process
}

const slurm = '0::/system.slice/slurmstepd.scope/job_42/step_0'
const login = '0::/user.slice/user-1002.slice/session-3.scope'

/** What a book makes of processes that each used five seconds. */
function tallied(
  processes: readonly SeenProcess[],
  gpuUses: ReadonlyMap<number, ProcessGpuUse> = new Map(),
) {
  const living = new Map(processes.map((process) => [process.pid, process]))
  const settled = { living: new Map(processes.map((one) => [one, used])), ended: new Map() }
  const moment = { nowTicks: 1e6, ticksPerSecond: 100, gpuUses }
  return new JobBook().tally(living, settled, moment)
}

describe('a job whose id somebody else writes into an environment', () => {
  it.each([
    ['slurm', '42', [seen(7, ada, slurm, {}), seen(8, bob, login, { slurmJobId: '42' })]],
    ['slurm', '42', [seen(7, bob, login, { slurmJobId: '42' }), seen(8, ada, slurm, {})]],
    [
      'attempt',
      'ab',
      [seen(7, ada, login, { taskId: 'ab' }), seen(8, bob, login, { taskId: 'ab' })],
    ],
    [
      'attempt',
      'ab',
      [seen(7, bob, login, { taskId: 'ab' }), seen(8, ada, login, { taskId: 'ab' })],
    ],
  ])('stays its owner’s alone (%s %s)', (kind, id, processes) => {
    const jobs = tallied(processes).map(({ facts, cpuSeconds, processes: members }) => ({
      kind: facts.kind,
      id: facts.id,
      uid: facts.uid,
      command: facts.command,
      cpuSeconds,
      members,
    }))
    const own = (uid: number) => ({
      kind,
      id,
      uid,
      command: `of ${uid}`,
      cpuSeconds: 5,
      members: 1,
    })
    expect(jobs).toHaveLength(2)
    expect(jobs).toContainEqual(own(ada))
    expect(jobs).toContainEqual(own(bob))
  })
})

describe('somebody with very many jobs', () => {
  it.each([
    ['each with an id of its own', (at: number) => ({ ...noMarks, taskId: at.toString(16) })],
    ['each with a name of its own', () => noMarks],
  ])('has a thousand told, and the rest in one (%s)', (_, marksOf) => {
    const processes = Array.from({ length: 3000 }, (_unused, at) => {
      const process = seen(100 + at, bob, login, marksOf(at))
      process.command = `command ${at}`
      process.groupId = 100 + at
      return process
    })
    const other = seen(7, ada, slurm, {})
    const jobs = tallied([...processes, other])
    expect(jobs.filter(({ facts }) => facts.uid === bob)).toHaveLength(1001)
    expect(jobs.filter(({ facts }) => facts.uid === ada)).toHaveLength(1)
    const sum = (of: 'cpuSeconds' | 'processes') => jobs.reduce((all, job) => all + job[of], 0)
    expect(sum('cpuSeconds')).toBe(3001 * used.cpuSeconds)
    expect(sum('processes')).toBe(3001)
  })

  it('loses nothing of GPUs that way', () => {
    const processes = Array.from({ length: 1500 }, (_unused, at) =>
      seen(100 + at, bob, login, { taskId: at.toString(16) }),
    )
    const use = { gpuSeconds: 1, joules: 2, memoryBytes: 3, cards: new Set<never>() }
    const jobs = tallied(processes, new Map(processes.map(({ pid }) => [pid, use])))
    const sum = (of: 'gpuSeconds' | 'joules' | 'gpuMemoryBytes') =>
      jobs.reduce((all, job) => all + (job[of] ?? 0), 0)
    expect([sum('gpuSeconds'), sum('joules'), sum('gpuMemoryBytes')]).toEqual([1500, 3000, 4500])
  })

  it('does not make known that way what is not told of GPUs', () => {
    const processes = Array.from({ length: 1500 }, (_unused, at) =>
      seen(100 + at, bob, login, { taskId: at.toString(16) }),
    )
    const use = { gpuSeconds: null, joules: null, memoryBytes: 3, cards: new Set<never>() }
    const idle = { ...use, gpuSeconds: 0 }
    const jobs = tallied(
      processes,
      new Map(processes.map(({ pid }, at) => [pid, at % 2 === 0 ? use : idle])),
    )
    const rest = jobs.find(({ processes: members }) => members > 1)
    expect(rest).toMatchObject({ gpuSeconds: null, gpuMemoryBytes: 1500 })
  })
})

describe('somebody who makes up new jobs all the time', () => {
  const minute = 6000
  /** A hundred new jobs each minute, each for that minute only. */
  function flood(
    minutes: number,
    marksOf: (at: number) => ProcessMarks,
    use = { ...used, cpuSeconds: 0.01 },
  ) {
    const book = new JobBook()
    const keys = new Set<string>()
    let further = 0
    let seconds = 0
    for (let round = 0; round < minutes; round++) {
      const living = new Map<number, SeenProcess>()
      for (let at = round * 100; at < round * 100 + 100; at++) {
        const process = seen(1000 + at, bob, login, marksOf(at), 1e6 + round * minute)
        process.command = `command ${at}`
        process.groupId = process.pid
        living.set(process.pid, process)
      }
      const settled = {
        living: new Map([...living.values()].map((one) => [one, use])),
        ended: new Map(),
      }
      const moment = { nowTicks: 1e6 + round * minute, ticksPerSecond: 100, gpuUses: new Map() }
      for (const { facts, processes, cpuSeconds } of book.tally(living, settled, moment)) {
        keys.add(`${facts.kind} ${facts.id}`)
        seconds += cpuSeconds
        if (facts.command === 'further commands') further += processes
      }
    }
    return { jobs: keys.size, further, seconds }
  }

  it.each([
    ['by ids of Slurm', (at: number) => ({ ...noMarks, slurmJobId: `${at + 1}` })],
    ['by ids of jobmeter', (at: number) => ({ ...noMarks, taskId: at.toString(16) })],
    ['by names of commands', () => noMarks],
  ])('has a thousand an hour kept, and nothing is lost (%s)', (_, marksOf) => {
    const first = flood(59, marksOf)
    expect(first.jobs).toBe(1001)
    expect(first.further).toBe(4900)
    expect(first.seconds).toBeCloseTo(59)
    expect(flood(120, marksOf).jobs).toBe(2001)
  })

  it('has all kept that are large', () => {
    const marksOf = (at: number) => ({ ...noMarks, slurmJobId: `${at + 1}` })
    expect(flood(30, marksOf, { ...used, cpuSeconds: 60 }).jobs).toBe(3000)
  })

  it('has all kept that Slurm itself gave a cgroup', () => {
    const book = new JobBook()
    const processes = Array.from({ length: 900 * 4 }, (_, at) =>
      seen(100 + at, bob, slurm.replace('42', `${at + 1}`), {}),
    )
    const kept = new Set<string>()
    for (let round = 0; round < 4; round++) {
      const living = new Map(
        processes.slice(round * 900, round * 900 + 900).map((one) => [one.pid, one]),
      )
      const settled = { living: new Map(), ended: new Map() }
      const moment = { nowTicks: 1e6 + round * minute, ticksPerSecond: 100, gpuUses: new Map() }
      for (const { facts } of book.tally(living, settled, moment)) kept.add(facts.id)
    }
    expect(kept.size).toBe(3600)
  })

  it('keeps the commands that come again and again', () => {
    const book = new JobBook()
    const told = Array.from({ length: 100 }, (_, round) => {
      const one = seen(100 + round, ada, login, {}, 1e6)
      one.command = `command ${round % 50}`
      const settled = { living: new Map(), ended: new Map() }
      const moment = { nowTicks: 1e6 + round, ticksPerSecond: 100, gpuUses: new Map() }
      return book
        .tally(new Map([[one.pid, one]]), settled, moment)
        .map(({ facts }) => facts.command)
    })
    expect(told.flat()).not.toContain('further commands')
  })
})

function processOf(pid: number, parentPid: number, more: Partial<SeenProcess> = {}): SeenProcess {
  const made = new SeenProcess(pid, pid * 100)
  return Object.assign(made, { parentPid, groupId: pid, uid: 1000, command: `c${pid}`, ...more })
}

const ofSlurm = { ...noMarks, slurmJobId: '7' }

function jobsOf(...processes: readonly SeenProcess[]): Map<string, string> {
  const living = new Map(processes.map((one) => [one.pid, one]))
  const settled = {
    living: new Map(processes.map((one) => [one, { cpuSeconds: 10, readBytes: 0, writeBytes: 0 }])),
    ended: new Map(),
  }
  const moment = { nowTicks: 1e6, ticksPerSecond: 100, gpuUses: new Map() }
  const tallies = new JobBook().tally(living, settled, moment)
  return new Map(tallies.map(({ facts, processes: n }) => [`${facts.kind} ${facts.id}`, `${n}`]))
}

describe('the Slurm job of a process', () => {
  it('is that of its parents where it threw its environment away', () => {
    const jobs = jobsOf(
      processOf(10, 1, { marks: ofSlurm }),
      processOf(11, 10),
      processOf(12, 11),
      processOf(20, 1),
    )
    expect(jobs.get('slurm 7')).toBe('3')
    expect(jobs.get('session 20-2000')).toBe('1')
  })

  it('is not that of another user’s process', () => {
    const jobs = jobsOf(processOf(10, 1, { marks: ofSlurm }), processOf(11, 10, { uid: 2000 }))
    expect(jobs.get('slurm 7')).toBe('1')
  })

  it('has the number that its oldest environment tells, where its cgroup has another name for it', () => {
    const cgroup = '0::/system.slice/n1_slurmstepd.scope/s0123456789abc/step_0\n'
    const book = new JobBook()
    const round = (...processes: readonly SeenProcess[]) =>
      book
        .tally(
          new Map(processes.map((one) => [one.pid, one])),
          { living: new Map(processes.map((one) => [one, used])), ended: new Map() },
          { nowTicks: 1e6, ticksPerSecond: 100, gpuUses: new Map() },
        )
        .map(({ facts, processes: n }) => `${facts.kind} ${facts.id}: ${n}`)
    const bare = processOf(10, 1, { cgroup })
    const script = processOf(11, 10, { cgroup, marks: ofSlurm })
    const liar = processOf(12, 11, { cgroup, marks: { ...noMarks, slurmJobId: '8' } })
    expect(round(bare)).toEqual(['slurm s0123456789abc: 1'])
    expect(round(bare, liar, script)).toEqual(['slurm 7: 3'])
    expect(round(bare, liar)).toEqual(['slurm 7: 2'])
    for (let rounds = 0; rounds < 3; rounds++) expect(round(bare)).toEqual(['slurm 7: 1'])
  })

  it('belongs to its user, and not to root who runs it', () => {
    const cgroup = '6:freezer:/slurm_n1/uid_1000/job_7/step_batch\n'
    const jobs = jobsOf(
      processOf(9, 1, { uid: 0, command: 'slurmstepd', cgroup }),
      processOf(10, 9, { cgroup }),
    )
    expect(jobs).toEqual(
      new Map([
        ['rolled-up 0/slurmstepd', '1'],
        ['slurm 7', '1'],
      ]),
    )
  })
})

/** One that ended before a round could see it. */
function unseen(pid: number, parentPid: number, uid = 1000): EndedProcess {
  const none = { readBytes: 0, writeBytes: 0, startedAt: 0, cpuSeconds: 0 }
  const record = { pid, processId: pid, parentPid, uid, command: `c${pid}`, ...none }
  return { pid, parentPid, seen: null, record }
}

describe('the job of a process that no round saw', () => {
  const shell = () => processOf(10, 1, { marks: ofSlurm })
  const wasSeen = (one: SeenProcess) => ({ pid: 10, parentPid: 1, seen: one, record: null })

  function jobsWith(living: readonly SeenProcess[], ended: readonly EndedProcess[]) {
    const settled = { living: new Map(), ended: new Map(ended.map((one) => [one, used])) }
    const moment = { nowTicks: 1e6, ticksPerSecond: 100, gpuUses: new Map() }
    const table = new Map(living.map((one) => [one.pid, one]))
    const tallies = new JobBook().tally(table, settled, moment)
    return new Map(
      tallies.map(({ facts, cpuSeconds }) => [`${facts.kind} ${facts.id}`, cpuSeconds]),
    )
  }

  it('is that of the living, over generations that ended in the same round', () => {
    const ended = [unseen(13, 12), unseen(12, 11), unseen(11, 10)]
    expect(jobsWith([shell()], ended)).toEqual(new Map([['slurm 7', 15]]))
  })

  it('is that of one above it that was seen and has ended since', () => {
    const ended = [unseen(12, 11), unseen(11, 10), wasSeen(shell())]
    expect(jobsWith([], ended)).toEqual(new Map([['slurm 7', 15]]))
  })

  it('is not that of another user, nor of who is above another user', () => {
    const ended = [unseen(12, 11), unseen(11, 10, 2000)]
    expect(jobsWith([shell()], ended)).toEqual(
      new Map([
        ['slurm 7', 0],
        ['rolled-up 1000/c12', 5],
        ['rolled-up 2000/c11', 5],
      ]),
    )
  })

  it('is rolled up where nobody above it was seen', () => {
    expect(jobsWith([processOf(1, 0, { uid: 1000 })], [unseen(12, 11), unseen(11, 1)])).toEqual(
      new Map([
        ['session 1-100', 0],
        ['rolled-up 1000/c12', 5],
        ['rolled-up 1000/c11', 5],
      ]),
    )
  })

  it('ends where pids that came again make a circle', () => {
    expect(jobsWith([], [unseen(12, 11), unseen(11, 12)]).size).toBe(2)
  })
})
