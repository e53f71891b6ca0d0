import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodeJob, nodeRound } from '../../../test/node/made-round.ts'
import type { NodeQuestions } from '../../store/node/node-questions.ts'
import { openNodeStore } from '../../store/node/open-node.ts'
import { openNodesFor } from './open-nodes.ts'
import type { ReservationKey } from '../../analysis/node/reservation-use.ts'
import { reservationAnswers, type ReservationQuery } from './reservations.ts'

const start = 1_772_409_600
const all = { from: start, to: start + 86_400, users: [], accounts: [], hosts: [] }
const minutes = 30

const reservations = async (from: NodeQuestions, asked: ReservationQuery, by: ReservationKey) =>
  (await reservationAnswers(from, asked, by)).uses
const gpusLeftIdle = async (from: NodeQuestions) =>
  (await reservationAnswers(from, all, 'user')).idle
const whoToTalkTo = async (from: NodeQuestions, asked: ReservationQuery) =>
  (await reservationAnswers(from, asked, 'user')).toTalkTo

let folder: string
let path: string
let reader: NodeQuestions
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
  path = join(folder, 'node.db')
  fill()
  reader = openNodesFor({ kind: 'file', path }, null)
})
afterEach(async () => {
  await reader.close()
  rmSync(folder, { recursive: true })
})

/** Half an hour: ada uses 1 of 4 cores, bob holds 2 cards that do nothing, cyd asked for nothing. */
function fill(): void {
  const store = openNodeStore(path)
  const asked = { memoryBytes: 2 ** 22, runtimeSeconds: null, source: 'slurm' } as const
  const jobs = [
    nodeJob('1', 'ada', 60, {
      kind: 'slurm',
      account: 'ml',
      reservation: { ...asked, cpus: 4, gpus: null },
    }),
    nodeJob('2', 'bob', 30, {
      kind: 'slurm',
      account: 'ml',
      reservation: { ...asked, cpus: 1, gpus: 2 },
      gpus: 2,
      gpuSeconds: 0.6,
    }),
    nodeJob('3', 'cyd', 60),
  ]
  for (let minute = 1; minute <= minutes; minute += 1)
    store.addRound(nodeRound(start + 60 * minute, jobs))
  store.close()
}

describe('reservations', () => {
  it('are set against use, by user, account and host; the most that is unused first', async () => {
    const seconds = 60 * minutes
    expect(await reservations(reader, all, 'user')).toMatchObject([
      { name: 'ada', jobs: 1, cpu: { asked: 4 * seconds, used: seconds }, gpu: { asked: 0 } },
      {
        name: 'bob',
        jobs: 1,
        cpu: { asked: seconds, used: seconds / 2 },
        gpu: { asked: 2 * seconds },
      },
    ])
    expect(await reservations(reader, all, 'account')).toMatchObject([
      { name: 'ml', jobs: 2, cpu: { asked: 5 * seconds, used: 1.5 * seconds } },
    ])
    const [host] = await reservations(reader, all, 'host')
    expect(host).toMatchObject({ name: 'node01', memory: { asked: 2 * 2 ** 22 * seconds } })
    expect(host?.memory.used).toBeCloseTo(2 * 2 ** 20 * seconds, -6)
    expect(host).toMatchObject({ user: null, command: 'python3' })
    expect(await reservations(reader, all, 'job')).toMatchObject([
      { name: 'slurm:1@node01', user: 'ada', jobs: 1 },
      { name: 'slurm:2@node01', user: 'bob', jobs: 1 },
    ])
  })

  it('count the time that is asked for, of jobs that began before or went on after', async () => {
    const span = { ...all, from: start + 600, to: start + 1200 }
    expect(await reservations(reader, span, 'user')).toMatchObject([
      { name: 'ada', cpu: { asked: 4 * 600, used: 600 }, memory: { asked: 2 ** 22 * 600 } },
      { name: 'bob', cpu: { asked: 600, used: 300 }, gpu: { asked: 1200 } },
    ])
    expect(await reservations(reader, { ...all, to: start + 90 }, 'user')).toMatchObject([
      { name: 'ada', jobs: 1, cpu: { asked: 4 * 90, used: 90 } },
      { name: 'bob', jobs: 1 },
    ])
  })

  it('show cards that are held and idle', async () => {
    const [first, ...more] = await gpusLeftIdle(reader)
    expect(more).toEqual([])
    expect(first).toMatchObject({ gpus: 2, job: { user: 'bob' } })
    expect(first?.share).toBeCloseTo(0.005)
  })

  it('tell whom to talk to, and leave in peace who harms nobody', async () => {
    expect(await whoToTalkTo(reader, all)).toMatchObject([
      { user: 'bob', idleGpus: 2, violations: 0 },
    ])
    expect(await whoToTalkTo(reader, { ...all, users: ['ada'] })).toEqual([])
  })

  it("are one's own for who may not see others", async () => {
    const own = openNodesFor({ kind: 'file', path }, { users: ['ada'] })
    expect((await reservations(own, all, 'user')).map(({ name }) => name)).toEqual(['ada'])
    expect(await gpusLeftIdle(own)).toEqual([])
    expect(await own.jobs({ users: ['bob'] })).toEqual([])
    await own.close()
    const nobody = openNodesFor({ kind: 'file', path }, { users: [] })
    expect(await nobody.jobs({})).toEqual([])
    await nobody.close()
  })

  it('cannot be had of others from an agent, which answers only to who asks it', () => {
    const agent = { kind: 'agent', socket: '/nowhere' } as const
    expect(() => openNodesFor(agent, { users: ['ada'] })).toThrow(
      'have the server read its database',
    )
  })
})
