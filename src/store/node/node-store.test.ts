import fc from 'fast-check'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodeJob as job, nodeRound as round } from '../../../test/node/made-round.ts'
import { openNodeReader, openNodeStore } from './open-node.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A Monday, at midnight in UTC. */
const monday = 1_772_409_600

const all = { metric: 'cpu', from: 0, to: 4e9, offsets: [] } as const

describe('the database of a node', () => {
  it('adds up exactly, by hour, user and host', () => {
    const store = openNodeStore(join(folder, 'node.db'))
    const amounts = fc.sample(fc.integer({ min: 0, max: 60_000_000 }), 300)
    amounts.forEach((micros, at) =>
      store.addRound(
        round(monday + 60 * (at + 1), [job('1', at % 2 ? 'ada' : 'bob', micros / 1e6)]),
      ),
    )
    const micros = amounts.reduce((sum, one) => sum + one, 0)
    const usage = store.reader.usage({ ...all, by: ['hour', 'user'] })
    expect(Math.round((usage.total ?? 0) * 1e6)).toBe(micros)
    expect(usage.capacity).toBe(300 * 60 * 4)
    expect(usage.rows).toHaveLength(10)
    // What was written was not measured: what was read counts all the same.
    expect(store.reader.usage({ ...all, by: [], metric: 'io' }).total).toBe(300 * 10)
    const seen = store.reader.jobs({})
    expect(seen).toHaveLength(2)
    const used = seen.reduce((sum, { cpuSeconds }) => sum + (cpuSeconds ?? 0), 0)
    expect(Math.round(used * 1e6)).toBe(micros)
    const peak = Math.max(...seen.map(({ cpuPeakCores }) => cpuPeakCores ?? 0))
    expect(peak).toBeCloseTo(Math.max(...amounts) / 60e6, 3)
    store.close()
  })

  it.each([60, 3600])(
    'does not take what cards did not tell for nothing: %i s',
    (secondsBetween) => {
      const store = openNodeStore(join(folder, 'node.db'))
      const used = (gpuSeconds: number | null, gpuMemoryBytes: number | null = 2 ** 20) => ({
        gpus: gpuMemoryBytes === null ? null : 1,
        gpuSeconds,
        joules: gpuSeconds === null ? null : gpuSeconds * 100,
        gpuMemoryBytes,
      })
      const rounds = [
        { untold: used(0), idle: used(0), part: used(null), left: used(0) },
        { untold: used(null), idle: used(0), part: used(5), left: used(null, null) },
        { untold: used(0), idle: used(0), part: used(0), left: used(null, null) },
      ]
      rounds.forEach((jobs, at) =>
        store.addRound(
          round(
            monday + secondsBetween * (at + 1),
            Object.entries(jobs).map(([name, use]) => job(name, name, 1, use)),
          ),
        ),
      )
      const told = { untold: null, idle: 0, part: 5, left: 0 }
      for (const [name, gpuSeconds] of Object.entries(told)) {
        expect(store.reader.jobs({}).find(({ user }) => user === name)).toMatchObject({
          gpuSeconds,
        })
        for (const by of [[], ['host']] as const)
          expect(store.reader.usage({ ...all, by, metric: 'gpu', users: [name] }).total).toBe(
            gpuSeconds,
          )
      }
      store.close()
    },
  )

  it('says of a node that its cards told nothing in a part of an hour', () => {
    const store = openNodeStore(join(folder, 'node.db'))
    const asked = { cpus: 1, memoryBytes: null, gpus: 1, runtimeSeconds: null, source: 'slurm' }
    const add = (at: number, gpus: number, gpuSeconds: number | null): void => {
      const one = round(at, [job('1', 'ada', 1, { reservation: asked as never })])
      store.addRound({ ...one, node: { ...one.node, gpus, gpuSeconds } })
    }
    add(monday + 60, 1, 0)
    const history = () =>
      store.reader.history({ host: 'node01', from: monday, to: monday + 7200 }).jobs
    expect(history()).toMatchObject([{ gpuSeconds: null, isGpuUntold: false }])
    add(monday + 120, 1, null)
    expect(history()).toMatchObject([{ gpuSeconds: null, isGpuUntold: true }])
    store.close()
  })

  it('tells hours of the week by the clock that it is given', () => {
    const store = openNodeStore(join(folder, 'node.db'))
    store.addRound(round(monday + 60, [job('1', 'ada', 1)]))
    const keys = (offsetSeconds: number) =>
      store.reader.usage({ ...all, by: ['hour-of-week'], offsets: [{ from: 0, offsetSeconds }] })
        .rows[0]?.keys
    expect(keys(0)).toEqual([0])
    expect(keys(3600)).toEqual([1])
    expect(keys(-3600)).toEqual([167])
    store.close()
  })

  it('takes the same id for another job after a reboot', () => {
    const store = openNodeStore(join(folder, 'node.db'))
    store.addRound(round(monday + 60, [job('1', 'ada', 1)]))
    store.addRound(round(monday + 120, [job('1', 'ada', 1)], { epoch: 'second boot' }))
    expect(store.reader.jobs({})).toHaveLength(2)
    expect(store.reader.jobs({ state: 'running' })).toMatchObject([{ epoch: 'second boot' }])
    store.close()
  })

  it('adds up the memory of more nodes and years than 64 bits can count', () => {
    const store = openNodeStore(join(folder, 'node.db'))
    const large = round(0, []).node
    const node = { ...large, memoryTotalBytes: 900 * 2 ** 30, memoryBytes: 900 * 2 ** 30 }
    const more = { node, seconds: 6.4e6 }
    for (const at of [monday, monday + 7200])
      store.addRound(round(at, [job('1', 'ada', 1, { memoryBytes: 900 * 2 ** 30 })], more))
    const { total, capacity } = store.reader.usage({ ...all, by: [], metric: 'memory' })
    expect((total ?? 0) / (2 * 900 * 2 ** 30 * 6.4e6)).toBeCloseTo(1, 9)
    expect(capacity).toBe(total)
    store.close()
  })

  it('puts what a job used under its account, however late that is known', () => {
    const store = openNodeStore(join(folder, 'node.db'))
    const slurm = (id: string, account: string | null) =>
      job(id, 'ada', 1, { kind: 'slurm', account })
    const scheduled = { name: null, shownId: null, restarts: null }
    const word = {
      kind: 'slurm',
      user: 'ada',
      account: 'maths',
      reservation: null,
      scheduled,
    } as const
    store.addRound(round(monday + 60, [slurm('1', null), slurm('2', null), slurm('3', null)]))
    store.addRound(round(monday + 3660, [slurm('1', null), slurm('2', null)]))
    store.addRound(round(monday + 3720, [slurm('1', 'physics')], { late: [{ ...word, id: '2' }] }))
    const { rows } = store.reader.usage({ ...all, by: ['account'] })
    expect(new Map(rows.map(({ keys, amount }) => [keys[0], amount]))).toEqual(
      new Map([
        ['', 1],
        ['physics', 3],
        ['maths', 2],
      ]),
    )
    const byHour = store.reader.usage({ ...all, by: ['hour', 'command', 'account'] })
    expect(byHour.total).toBe(6)
    expect(byHour.rows).toHaveLength(5)
    expect(store.reader.jobs({ accounts: ['maths'] })).toMatchObject([{ id: '2' }])
    store.close()
  })

  it('refuses a round of a moment that it has', () => {
    const store = openNodeStore(join(folder, 'node.db'))
    store.addRound(round(monday + 60, [job('1', 'ada', 1)]))
    expect(() => store.addRound(round(monday + 60, [job('1', 'ada', 1)]))).toThrow(/contradicts/)
    expect(store.addRound(round(monday + 120, [job('1', 'ada', 1)]))).toBe(2)
    expect(store.reader.usage({ ...all, by: [] }).total).toBe(2)
    store.close()
  })

  it('keeps hours when rounds go, and tells a gap', () => {
    const path = join(folder, 'node.db')
    const store = openNodeStore(path)
    for (const at of [60, 120, 600]) store.addRound(round(monday + at, [job('1', 'ada', 1)]))
    expect(store.reader.stretches(monday, monday + 900)).toMatchObject([
      { from: monday, to: monday + 120, rounds: 2 },
      { from: monday + 540, to: monday + 600, rounds: 1 },
    ])
    const days = { rawDays: 1, fiveMinuteDays: 2, hourDays: 30 }
    store.keepOnly(days, monday + 3 * 86_400)
    // Rounds and five minutes are gone: of the hour, it is known how long it was looked at.
    expect(store.reader.stretches(0, 4e9)).toEqual([
      { host: 'node01', from: monday + 3600 - 180, to: monday + 3600, rounds: 1, epoch: null },
    ])
    expect(store.reader.usage({ ...all, by: [] }).total).toBe(3)
    store.keepOnly(days, monday + 40 * 86_400)
    expect(store.reader.usage({ ...all, by: [] }).total).toBeNull()
    store.close()
    expect(openNodeReader(path).jobs({})).toEqual([])
  })

  it.each(['ada first', 'bob first'])(
    'takes the same id of two users for two jobs, %s',
    (order) => {
      const path = join(folder, 'node.db')
      const [first = '', second = ''] = order === 'ada first' ? ['ada', 'bob'] : ['bob', 'ada']
      const made = (user: string, cpuSeconds: number) =>
        job('42', user, cpuSeconds, { kind: 'slurm', account: `of ${user}` })
      let at = monday
      // Each time anew, as after a restart of the agent, which remembers nothing.
      for (const jobs of [[made(first, 1)], [made(second, 2)], [made(second, 2), made(first, 1)]]) {
        const store = openNodeStore(path)
        store.addRound(round((at += 60), jobs))
        store.close()
      }
      const seen = openNodeReader(path)
        .jobs({})
        .map(({ user, account, cpuSeconds }) => ({ user, account, cpuSeconds }))
      expect(seen).toHaveLength(2)
      expect(seen).toContainEqual({ user: first, account: `of ${first}`, cpuSeconds: 2 })
      expect(seen).toContainEqual({ user: second, account: `of ${second}`, cpuSeconds: 4 })
    },
  )

  it('knows a job again when the name of its user is learnt', () => {
    const store = openNodeStore(join(folder, 'node.db'))
    store.addRound(round(monday + 60, [job('42', '1001', 1, { uid: 1001 })]))
    store.addRound(round(monday + 120, [job('42', 'ada', 1, { uid: 1001 })]))
    expect(store.reader.jobs({})).toMatchObject([{ user: 'ada', cpuSeconds: 2 }])
    store.close()
  })

  it('keeps no number of a user whose name is known', () => {
    const path = join(folder, 'node.db')
    const store = openNodeStore(path)
    store.addRound(round(monday + 60, [job('42', 'ada', 1, { uid: 1001 })]))
    store.close()
    using database = new DatabaseSync(path)
    expect(database.prepare('SELECT name FROM user').all()).toEqual([{ name: 'ada' }])
  })

  it('says what is not there, not one, or damaged, in words for a node', () => {
    expect(() => openNodeReader(join(folder, 'none.db'))).toThrow(
      /there is no node database here that you may read/,
    )
    const [other, text, path] = ['other.db', 'text.db', 'node.db'].map((name) => join(folder, name))
    using made = new DatabaseSync(other ?? '')
    made.exec('CREATE TABLE t (x)')
    writeFileSync(text ?? '', 'no database at all. '.repeat(90))
    for (const [file = '', words] of [
      [other, /this is not the database of a node/],
      [text, /this is not a jobmeter node database; .* JOBMETER_NODE_DB/],
    ] as const) {
      const refused = expect.objectContaining({
        code: 'not-a-node-database',
        message: expect.stringMatching(words) as string,
      }) as Error
      expect(() => openNodeReader(file)).toThrow(refused)
      expect(() => openNodeStore(file)).toThrow(refused)
    }
    const store = openNodeStore(path ?? '')
    store.addRound(round(monday + 60, [job('1', 'ada', 1)]))
    store.close()
    using database = new DatabaseSync(path ?? '')
    database.exec(`UPDATE job SET kind = 'none'`)
    expect(() => openNodeReader(path ?? '').jobs({})).toThrow(/the node database is damaged/)
  })
})
