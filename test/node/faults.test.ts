import fc from 'fast-check'
import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { AgentLoop } from '../../src/agent/agent-loop.ts'
import { NodeGpus } from '../../src/agent/gpus/node-gpus.ts'
import { NodeSampler } from '../../src/agent/node-sampler.ts'
import type { NodeRound } from '../../src/model/node-round.ts'
import { failed } from '../../src/model/reading.ts'
import { openNodeStore } from '../../src/store/node/open-node.ts'
import { usualRetention } from '../../src/store/node/retention.ts'
import { fakeSystem } from '../../src/system/fake.ts'
import type { Files, System } from '../../src/system/system.ts'
import { sandbox } from '../program.ts'
import { smallDisk, withSmallDisk } from '../small-disk.ts'

const settings = { intervalSeconds: 60, retention: usualRetention, impliedGpus: null }

const ofProcess = (pid: number) => ({
  [`/proc/${pid}/stat`]: `${pid} (work) S 1 ${pid} ${pid} 0 -1 0 9 0 0 0 500 0 0 0 20 0 1 0 100 0 200000 ${'0 '.repeat(28)}\n`,
  [`/proc/${pid}/status`]: 'Uid:\t1000\t1000\t1000\t1000\n',
  [`/proc/${pid}/cgroup`]: `4:memory:/slurm/uid_1000/job_${pid % 3}/step_batch\n0::/\n`,
  [`/proc/${pid}/environ`]: 'PATH=/bin\0SLURM_JOB_ID=7\0',
  [`/proc/${pid}/io`]:
    'rchar: 1\nwchar: 1\nsyscr: 1\nsyscw: 1\nread_bytes: 1\nwrite_bytes: 1\ncancelled_write_bytes: 0\n',
})

const machineFiles = () => ({
  '/proc/uptime': '1000.00 1000.00\n',
  '/proc/stat': 'cpu  0 0 0 0 0 0 0 0 0 0\nprocesses 5\n',
  '/proc/diskstats': '254 0 vda 1 0 9 0 1 0 9 0 0 0 0\n',
  '/proc/net/dev': 'Inter-\n face\n  eth0: 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0\n',
  '/proc/7/stat': `7 (work) S 1 7 7 0 -1 0 9 0 0 0 500 0 0 0 20 0 1 0 100 0 200000 ${'0 '.repeat(28)}\n`,
  '/proc/7/status': 'Uid:\t1000\t1000\t1000\t1000\n',
})

/** A machine where a part of all that is read fails, is cut short or is garbage. */
function failing(part: number, random: () => number): System {
  const pids = Array.from({ length: 30 }, (_, at) => at + 10)
  const made = fakeSystem({
    files: Object.assign(machineFiles(), ...pids.map(ofProcess)) as Record<string, string>,
  })
  const fails = (): boolean => random() < part
  const files: Files = {
    ...made.files,
    open: (path) => (fails() ? -1 : made.files.open(path)),
    read: (descriptor, into) => {
      if (fails()) return -1
      const length = made.files.read(descriptor, into)
      if (!fails()) return length
      for (let bytes = 0; bytes < 20; bytes++)
        into[Math.floor(random() * length)] = Math.floor(random() * 256)
      return Math.floor(length * random())
    },
    readText: (path) => (fails() ? failed('injected') : made.files.readText(path)),
    list: (path) => (fails() ? failed('injected') : made.files.list(path)),
  }
  return { ...made, files, toolOutput: () => Promise.resolve(failed('injected')) }
}

/** From 0 up to 1, quickly, and the same ones each time. */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Every figure of a round that cannot be, by where it is. Only of what is nobody's a rest may be below 0. */
function impossible(value: unknown, place: string): string[] {
  if (typeof value === 'number')
    return Number.isFinite(value) && (value >= 0 || place.startsWith('nobody')) ? [] : [place]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, part]) => impossible(part, `${place}.${name}`))
}

const impossibleIn = ({ jobs, ...round }: NodeRound): string[] => [
  ...impossible(round, 'round'),
  ...jobs.flatMap((job) => impossible(job, job.kind === 'unattributed' ? 'nobody' : job.kind)),
]

describe('a round of the agent', () => {
  it('is taken whatever cannot be read, and has no figure that cannot be', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer(), (part, seed) => {
        const system = failing(part ** 2, numbersFrom(seed))
        const sampler = new NodeSampler(system, undefined, new NodeGpus(system))
        for (let round = 0; round < 2; round++) expect(impossibleIn(sampler.round(1))).toEqual([])
        sampler.close()
      }),
      { numRuns: 100 },
    )
  })

  it('has every process where everything can be read', () => {
    const system = failing(0, () => 1)
    const sampler = new NodeSampler(system, undefined, new NodeGpus(system))
    const { node, jobs } = sampler.round(1)
    sampler.close()
    expect(node.processes).toBe(31)
    const slurm = jobs.filter(({ kind }) => kind === 'slurm')
    expect(slurm.map(({ id, processes }) => [id, processes])).toEqual([
      ['1', 10],
      ['2', 10],
      ['0', 10],
    ])
  })

  it('is taken without the cards where their driver fails', async () => {
    const breaks = () => Promise.reject(new Error('injected'))
    const made = fakeSystem({ files: machineFiles() })
    const system = { ...made, startHelper: breaks, nvml: { isLikely: () => true, open: breaks } }
    const gpus = new NodeGpus(system)
    await gpus.open()
    const sampler = new NodeSampler(system, undefined, gpus)
    expect(sampler.round(1).node).toMatchObject({ gpus: 0, gpuSeconds: null })
    sampler.close()
  })

  function loopInto(path: string) {
    const system = fakeSystem({ files: machineFiles() })
    const store = openNodeStore(path, { lockWait: { milliseconds: 10 } })
    const problems: string[] = []
    const numbers: number[] = []
    const watcher = {
      stored: (_: NodeRound, number: number) => void numbers.push(number),
      failed: (problem: string) => void problems.push(problem),
      lost: (problem: string) => void problems.push(problem),
    }
    const sampler = new NodeSampler(system, undefined, new NodeGpus(system))
    const loop = new AgentLoop(system, { store, sampler, watcher }, settings)
    const round = (): void => {
      system.advance(60)
      loop.round()
    }
    return { store, round, problems, numbers }
  }

  it('waits in memory while somebody holds the database, and is then written with the next', () => {
    using box = sandbox()
    const { store, round, problems, numbers } = loopInto(box.path('node.db'))
    const holder = new DatabaseSync(box.path('node.db'))
    holder.exec('BEGIN EXCLUSIVE')
    round()
    round()
    expect(numbers).toEqual([])
    expect(problems[1]).toMatch(/locked.*2 rounds are kept in memory/)
    holder.exec('ROLLBACK')
    holder.close()
    round()
    expect(numbers).toEqual([1, 2, 3])
    expect(store.reader.stretches(0, 4e9)).toMatchObject([{ rounds: 3 }])
    store.close()
  })

  it.skipIf(withSmallDisk.isSkipped)('waits in memory while the disk is full', () => {
    using box = sandbox()
    using disk = smallDisk(box, 4000)
    const { store, round, problems, numbers } = loopInto(`${disk.path}/node.db`)
    round()
    disk.fill()
    // What there is of the log may take some rounds more.
    for (let tries = 0; tries < 60 && problems.length === 0; tries++) round()
    expect(problems[0]).toContain('this round is kept in memory')
    disk.free()
    round()
    const stored = numbers.length
    expect(numbers).toEqual(Array.from({ length: stored }, (_, at) => at + 1))
    expect(store.reader.stretches(0, 4e9)).toMatchObject([{ rounds: stored }])
    store.close()
  })
})

describe('a machine', () => {
  it('that boots again has other jobs, by whatever ids', () => {
    using box = sandbox()
    const files = machineFiles()
    for (const bootId of ['first', 'second']) {
      const system = fakeSystem({ files, host: { bootId } })
      if (bootId === 'second') system.stepWallClock(3600)
      const store = openNodeStore(box.path('node.db'))
      const sampler = new NodeSampler(system, undefined, new NodeGpus(system))
      system.advance(60)
      store.addRound(sampler.round(null))
      const sessions = store.reader.jobs({ kinds: ['session'] })
      expect(sessions.map(({ epoch }) => epoch)).toContain(bootId)
      expect(new Set(sessions.map(({ id }) => id)).size).toBe(1)
      expect(store.reader.jobs({ kinds: ['session'], state: 'running' })).toHaveLength(1)
      expect(sessions).toHaveLength(bootId === 'first' ? 1 : 2)
      store.close()
    }
  })
})

describe('a clock that is set', () => {
  const machine = () => fakeSystem({ files: machineFiles() })
  const started = (system: System, path: string) => {
    const store = openNodeStore(path)
    const fail = (problem: string): never => expect.fail(problem)
    const watcher = { stored: () => undefined, failed: fail, lost: fail }
    const sampler = new NodeSampler(system, undefined, new NodeGpus(system))
    const loop = new AgentLoop(system, { store, sampler, watcher }, settings)
    loop.start()
    return { store, loop }
  }

  it.each([
    ['back by hours', -7200],
    ['forward by hours', 7200],
    ['to another decade', 10 * 365 * 86_400],
  ])('%s loses no round and throws nothing away', (_, seconds) => {
    using box = sandbox()
    const system = machine()
    const { store, loop } = started(system, box.path('node.db'))
    system.advance(600)
    system.stepWallClock(seconds)
    system.advance(5400)
    loop.stop()
    const stretches = store.reader.stretches(0, 4e9)
    expect(stretches.reduce((sum, { rounds }) => sum + rounds, 0)).toBe(100)
    const running = store.reader.jobs({ state: 'running' }).map(({ kind }) => kind)
    expect(running).toContain('session')
    store.close()
  })

  it('tells the time in which the machine slept as a gap', () => {
    using box = sandbox()
    const system = machine()
    const { store, loop } = started(system, box.path('node.db'))
    system.advance(120)
    const asleep = system.clock.wallSeconds()
    // The monotonic clock stands still meanwhile.
    system.stepWallClock(3600)
    system.advance(60)
    loop.stop()
    const [before, after] = store.reader.stretches(0, 4e9)
    expect(before?.to).toBeCloseTo(asleep, 2)
    expect((after?.from ?? 0) - (before?.to ?? 0)).toBeCloseTo(3600, 2)
    store.close()
  })
})

describe('a database that somebody takes away from under the agent', () => {
  it.each([
    ['deleted', (db: string) => rmSync(db)],
    ['deleted with all that belongs to it', (db: string) => removeAll(db)],
    ['replaced', (db: string) => (renameSync(db, `${db}.old`), copyFileSync(`${db}.old`, db))],
    ['left, but without its lock', (db: string) => rmSync(`${db}.agent.lock`)],
  ])('ends it with words (%s)', async (_, take) => {
    using box = sandbox()
    const db = box.path('node.db')
    const agent = box.start(['agent', '--interval', '100ms', '--verbose', '--db', db])
    await agent.saw('round 2')
    take(db)
    const { code, stderr } = await agent.ended
    expect(code).toBe(1)
    expect(stderr).toContain(`${db}: the database was deleted or replaced while the agent`)
  })
})

const removeAll = (db: string): void => {
  for (const more of ['', '-wal', '-shm', '.agent.lock']) rmSync(`${db}${more}`)
}

describe('two agents', () => {
  it('do not write to one database', async () => {
    using box = sandbox()
    const args = ['agent', '--interval', '1h', '--db', box.path('node.db')]
    const first = box.start(args)
    await first.saw('looking every')
    const second = await box.jobmeter(args)
    expect(second).toMatchObject({ code: 1 })
    expect(second.stderr).toContain('another agent writes to this database')
    first.signal('SIGTERM')
    expect(await first.ended).toMatchObject({ code: 0 })
    // What was used up to the signal was kept, and the next one may write.
    const third = box.start(args)
    await third.saw('looking every')
    third.signal('SIGTERM')
    await third.ended
    const listed = await box.jobmeter(['ps', '--format', 'json', '--db', box.path('node.db')])
    expect((JSON.parse(listed.stdout) as unknown[]).length).toBeGreaterThan(1)
  })
})
