import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { nodeQuestionsContract } from '../../../test/contracts/node-questions.ts'
import { nodeJob, nodeRound } from '../../../test/node/made-round.ts'
import { StoreError } from '../../store/errors.ts'
import { openNodeStore } from '../../store/node/open-node.ts'
import { fakeClock } from '../../system/fake-clock.ts'
import { realClock } from '../../system/real-clock.ts'
import { startThread, type ThreadListener } from '../../system/worker-thread.ts'
import { Desk, DeskBusy } from './desk.ts'
import { nodesByDesk } from './nodes-by-desk.ts'

const startClerk = (listener: ThreadListener) => startThread('server/desk/clerk', listener)

nodeQuestionsContract('a clerk of the server', async (path) => {
  const desk = new Desk(startClerk, realClock)
  const place = { kind: 'file', path } as const
  return {
    ask: (viewer) => nodesByDesk(desk, { place, viewer, waitSeconds: 5 }),
    dispose: async () => desk.close(),
  }
})

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** A node with so many rows of use that adding them up takes a while. */
function largeNode(rows: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
  folders.push(folder)
  const path = join(folder, 'node.db')
  const store = openNodeStore(path)
  store.addRound(nodeRound(1_772_409_660, [nodeJob('1', 'ada', 1)]))
  store.close()
  using database = new DatabaseSync(path)
  database.exec(`PRAGMA synchronous = OFF;
    WITH RECURSIVE step (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM step WHERE n < ${rows})
    INSERT INTO usage_hour (at_ms, host_id, user_id, account_id, command_id, cpu_us)
    SELECT n / 100 * 3600000, 1, n % 10 + 2, n % 7 + 2, n % 100 + 2, n FROM step`)
  return path
}

const everything = { metric: 'cpu', from: 0, to: 4e9, offsets: [] } as const

describe('long questions', () => {
  it('hold nobody up: what else there is to do is done meanwhile', async () => {
    const desk = new Desk(startClerk, realClock)
    const place = { kind: 'file', path: largeNode(600_000) } as const
    const nodes = await nodesByDesk(desk, { place, viewer: null, waitSeconds: 5 })
    const state = { isAnswered: false }
    let turns = 0
    const asked = nodes
      .usage({ ...everything, by: ['command', 'hour', 'user'] })
      .finally(() => (state.isAnswered = true))
    while (!state.isAnswered) {
      await new Promise<void>((resolve) => void setImmediate(resolve))
      turns += 1
    }
    expect((await asked).total).toBeCloseTo((600_000 * 600_001) / 2 / 1e6 + 1, 0)
    expect(turns).toBeGreaterThan(100)
    desk.close()
  })

  it('are refused where nothing can be opened, as a file would refuse them', async () => {
    const desk = new Desk(startClerk, realClock)
    const place = { kind: 'file', path: '/nowhere/node.db' } as const
    const opened = nodesByDesk(desk, { place, viewer: null, waitSeconds: 5 })
    await expect(opened).rejects.toThrow(StoreError)
    await expect(opened).rejects.toMatchObject({
      code: 'unreadable',
      path: place.path,
      message: expect.stringMatching(/^\/nowhere\/node.db: there is no node database here/),
    })
    desk.close()
  })
})

/** Clerks that answer when they are told to. */
class MadeClerks {
  readonly all: {
    readonly work: unknown[]
    readonly listener: ThreadListener
    isEnded: boolean
  }[] = []

  readonly start = (listener: ThreadListener) => {
    const clerk = { work: [] as unknown[], listener, isEnded: false }
    this.all.push(clerk)
    return {
      send: (work: unknown) => void clerk.work.push(work),
      end: () => void (clerk.isEnded = true),
    }
  }

  answer(at: number): void {
    const clerk = this.all[at]
    clerk?.listener.heard({ ok: clerk.work.at(-1) })
  }
}

const bounds = { clerks: 2, waiting: 3, waitSeconds: 20, workSeconds: 120 }

describe('a desk', () => {
  const set = () => {
    const [clerks, time] = [new MadeClerks(), fakeClock(0)]
    return { clerks, clock: time, desk: new Desk(clerks.start, time.clock, bounds) }
  }

  it('has two things done at a time, and the next when one is done', async () => {
    const { clerks, desk } = set()
    const asked = ['a', 'b', 'c'].map((work) => desk.ask(work, work))
    expect(clerks.all.map(({ work }) => work)).toEqual([['a'], ['b']])
    clerks.answer(1)
    expect(await asked[1]).toBe('b')
    expect(clerks.all.map(({ work }) => work)).toEqual([['a'], ['b', 'c']])
    clerks.answer(0)
    clerks.answer(1)
    expect(await Promise.all(asked)).toEqual(['a', 'b', 'c'])
  })

  it('lets those first for whom nothing is being done', () => {
    const { clerks, desk } = set()
    for (const work of ['1', '2', '3', '4']) void desk.ask(work, 'ada').catch(() => undefined)
    void desk.ask('5', 'bob').catch(() => undefined)
    clerks.answer(0)
    expect(clerks.all.map(({ work }) => work)).toEqual([['1', '5'], ['2']])
  })

  it('refuses what is too much, and what has waited too long', async () => {
    const { clock, desk } = set()
    const asked = [1, 2, 3, 4, 5].map((work) => desk.ask(work, 'ada'))
    for (const one of asked) one.catch(() => undefined)
    await expect(desk.ask(6, 'ada')).rejects.toThrow(DeskBusy)
    clock.advance(21)
    for (const one of asked.slice(2)) await expect(one).rejects.toMatchObject({ retrySeconds: 20 })
    const another = desk.ask(7, 'ada')
    desk.close()
    await expect(another).rejects.toThrow('ending')
    await expect(asked[0]).rejects.toThrow('ending')
  })

  it('is free at once where a question cannot be handed to a clerk', async () => {
    const { clock } = fakeClock(0)
    const desk = new Desk(startClerk, clock, { ...bounds, clerks: 1 })
    const place = { kind: 'file', path: '/nowhere/node.db' } as const
    await expect(desk.ask(() => 'not data', 'ada')).rejects.toThrow('could not be cloned')
    await expect(nodesByDesk(desk, { place, viewer: null, waitSeconds: 5 })).rejects.toThrow(
      'there is no node database here',
    )
    desk.close()
  })

  it('puts another in the place of a clerk that died, or that takes too long', async () => {
    const { clerks, clock, desk } = set()
    const first = desk.ask('a', 'ada')
    clerks.all[0]?.listener.ended('out of memory')
    await expect(first).rejects.toThrow('out of memory')
    const second = desk.ask('b', 'ada')
    clock.advance(121)
    await expect(second).rejects.toThrow('It took too long')
    expect(clerks.all[1]?.isEnded).toBe(true)
    const third = desk.ask('c', 'ada')
    clerks.answer(2)
    expect(await third).toBe('c')
  })
})
