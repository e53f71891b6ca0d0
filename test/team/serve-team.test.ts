import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Database } from '../../src/store/postgres/connection.ts'
import { fillTeam } from '../fill-team.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox, type Sandbox } from '../program.ts'
import {
  act,
  ask,
  cookieFor,
  eventsOf,
  serve,
  until,
  type ServedProgram,
} from '../server/served-program.ts'
import { recordSome, teamOf } from './recorded-team.ts'

const paths: readonly string[] = [
  'jobs?limit=50',
  'jobs?search=nightly',
  'jobs?tag=nightly',
  'jobs?status=failed',
  'statistics',
  'workflows/1/runs',
  'workflows/1/report',
  'workflows',
  'workflows/1',
  'workflows/1/jobs',
  'workflows/1/results',
  'workflows/1/utilization',
  'workflows/1/recommendations',
  'workflows/9',
  'benchmarks',
  'benchmarks/1',
]

/** An answer but for the moment at which a report was made, which two servers do not share. */
const timeless = (text: string): string => text.replace(/"made":"[^"]*"/, '')

describe.skipIf(whyNoPostgres() !== undefined)('a server of a team ledger', () => {
  let postgres: Postgres
  let place: Sandbox
  let address: string
  const started: ServedProgram[] = []
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
    place = sandbox()
    await recordSome(place)
    address = await teamOf(postgres, 'served', [place.db])
    const submits = 'actions:\n  submit: true\n'
    started.push(await serve(place, submits, ['--db', address]))
    started.push(await serve(place, submits, ['--db', address]))
    started.push(await serve(place, submits, ['--db', place.db]))
  })
  afterAll(async () => {
    for (const { running } of started) {
      running.signal('SIGTERM')
      await running.ended
    }
    place[Symbol.dispose]()
    await postgres.stop()
  })

  it.each(paths)('answers as one of a local ledger does: %s', async (path) => {
    const answers = await Promise.all(
      started.map(async (served) => {
        const cookie = await cookieFor(served)
        const { status, text } = await ask(served.port, `/api/v1/${path}`, { headers: { cookie } })
        return { status, text: timeless(text) }
      }),
    )
    expect(answers[0]).toEqual(answers[2])
    expect(answers[1]).toEqual(answers[2])
    expect(answers[2]?.status).toBe(path === 'workflows/9' ? 404 : 200)
  })

  it('gives the samples of a job', async () => {
    const [served, , local] = started
    if (served === undefined || local === undefined) throw new Error('no server')
    const cookie = await cookieFor(served)
    const found = await ask(served.port, '/api/v1/jobs?search=long', { headers: { cookie } })
    const [{ task_id: task } = { task_id: '' }] = (found.json() as { jobs: { task_id: string }[] })
      .jobs
    const localCookie = await cookieFor(local)
    for (const part of ['samples', 'devices', 'chart', 'report', 'findings', 'attempts', 'past']) {
      const path = `/api/v1/jobs/${task}/${part}`
      const ofTeam = await ask(served.port, path, { headers: { cookie } })
      const here = await ask(local.port, path, { headers: { cookie: localCookie } })
      expect(timeless(ofTeam.text)).toBe(timeless(here.text))
    }
  })

  it('refuses what only the machine of a job can do', async () => {
    const [served] = started
    if (served === undefined) throw new Error('no server')
    const headers = { cookie: await cookieFor(served) }
    const refusals = [
      await act(served, '/api/v1/jobs', { command: ['true'] }, headers),
      await act(served, '/api/v1/workflows/1/cancel', {}, headers),
      await act(served, '/api/v1/workflows/1/resume', {}, headers),
      await act(served, '/api/v1/workflows', { spec: 'name: x\n', file_name: 'x.yaml' }, headers),
    ]
    for (const { status, text } of refusals) {
      expect(text).toContain('answers from a team ledger, which is only read')
      expect(status).toBe(409)
    }
  })

  it('tells what is sent to the team, to all who listen to any of its servers', async () => {
    const heard = started.slice(0, 2).map((): string[] => [])
    for (const [index, served] of started.slice(0, 2).entries()) {
      const events = eventsOf(served, await cookieFor(served))
      void (async () => {
        for await (const line of events) heard[index]?.push(line)
      })().catch(() => {})
    }
    const database = new Database({ connectionString: address })
    const running = place.start(['run', '-q', '--name', 'told', '--interval', '0.1', '--', 'cat'])
    await until(
      async () => place.jobmeter(['job-history', '--status', 'running', '--format', 'json']),
      ({ stdout }) => stdout.includes('"told"'),
    )
    const told = (change: string) => async (): Promise<boolean[]> => {
      await fillTeam(place.db, database)
      return heard.map((lines) =>
        lines.some((line) => line.includes('"told"') && line.includes(`"${change}"`)),
      )
    }
    expect(await until(told('began'), (all) => all.every(Boolean))).toEqual([true, true])
    running.type('\u0004')
    running.signal('SIGINT')
    await running.ended
    await place.jobmeter(['job-history'])
    expect(await until(told('ended'), (all) => all.every(Boolean))).toEqual([true, true])
    await database.close()
  })
})
