import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiDocument } from '../../../src/server/document/document.ts'
import { sandbox, type Sandbox } from '../../program.ts'
import { act, ask, serve, until, type Answer, type ServedProgram } from '../served-program.ts'
import { SchemaCheck, type Schema } from './json-schema.ts'
import { LiveClient } from './live-client.ts'
import { operationsOf } from './operations.ts'

const spec = `
name: flow
jobs:
  - name: first
    command: echo written by first; sleep 0.3
  - name: second
    command: echo oops >&2; exit 3
    depends_on: [first]
resource_monitor: { granularity: time_series, sample_interval_seconds: 0.1 }
`

/** No agent has seen any; `document.test.ts` has some. */
const ofOneNode = new Set(['getNode', 'getNodeChart', 'getNodeUptime', 'getNodeJob'])

let box: Sandbox
let served: ServedProgram
let authorization: { authorization: string }
let ids: { readonly command: string; readonly first: string; readonly second: string }

const read = (path: string, headers = {}): Promise<Answer> =>
  ask(served.port, path, { headers: { host: served.host, ...authorization, ...headers } })

beforeAll(async () => {
  box = sandbox()
  writeFileSync(box.path('flow.yaml'), spec)
  await box.run(['--quiet', '--name', 'counting', '--interval', '0.1', '--', 'sleep', '0.5'])
  await box.jobmeter(['run', 'flow.yaml', '--quiet', '--output-dir', box.path('out')])
  await box.jobmeter(['benchmark', 'run', '--name', 'bench', '--runs', '2', '--', 'true'])
  const records = await box.history()
  const idOf = (name: string): string => records.find((one) => one.name === name)?.task_id ?? ''
  ids = { command: idOf('counting'), first: idOf('first'), second: idOf('second') }
  served = await serve(box, 'actions: { submit: true }\n', ['--log', 'off'], {
    // An agent of this machine must not matter.
    JOBMETER_AGENT_SOCKET: box.path('no agent'),
  })
  authorization = { authorization: `Bearer ${served.token}` }
})
afterAll(() => box[Symbol.dispose]())

describe('the server over jobs that ran', () => {
  it('knows an attempt by the beginning of its id, and says in words what is no id', async () => {
    const short = await read(`/api/v1/jobs/${ids.first.slice(0, 12)}`)
    expect(short.json()).toMatchObject({ task_id: ids.first })
    const chart = await read(`/api/v1/jobs/${ids.first.slice(0, 12)}/chart`)
    expect(chart.status).toBe(200)
    const nobody = `${ids.first.slice(0, 11)}${ids.first[11] === '0' ? '1' : '0'}`
    expect((await read(`/api/v1/jobs/${nobody}`)).status).toBe(404)
    const wrong = await read('/api/v1/jobs/train')
    expect([wrong.status, wrong.text]).toEqual([404, expect.not.stringContaining('pattern')])
  })

  it.each([
    ['/api/v1/jobs?limt=1', 'there is no parameter limt here. Did you mean limit?'],
    ['/api/v1/me?x=1', 'there is no parameter x here.'],
  ])('refuses %s, whose parameter it does not know', async (path, detail) => {
    const answer = await read(path)
    expect([answer.status, answer.json()]).toEqual([400, expect.objectContaining({ detail })])
  })

  it('prints where it is as JSON where that is asked for', async () => {
    const running = box.start(['serve', '--listen', '127.0.0.1:0', '--format', 'json'])
    const printed = JSON.parse(await running.saw('}\n')) as Record<string, string>
    expect(printed).toEqual({
      address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
      url: `${printed['address']}?token=${new URL(printed['url'] ?? '').searchParams.get('token')}`,
      pid: running.pid,
    })
    running.signal('SIGTERM')
    await running.ended
  })

  it('answers every question as its document says', async () => {
    const document = (await read('/api/openapi.json')).json() as ApiDocument
    const check = new SchemaCheck(document as unknown as Schema, { isClosed: true })
    const values: Record<string, string> = { workflow_id: '1', benchmark_id: '1', stream: 'stdout' }
    const queries: Record<string, string> = {
      getScaling: '?runs=counting',
      getComparison: '?left=counting&right=workflow:1',
    }
    let answered = 0
    for (const { id, path, method, operation } of operationsOf(document)) {
      if (method !== 'get' || id === 'streamEvents' || ofOneNode.has(id)) continue
      for (const task_id of path.includes('{task_id}') ? [ids.command, ids.first] : ['']) {
        if (id === 'getLog' && task_id === ids.command) continue
        const named: Record<string, string> = { ...values, task_id }
        const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => named[name] ?? name)
        const answer = await read(`${address}${queries[id] ?? ''}`)
        const described = operation.responses[String(answer.status)]
        if (id.includes('Oidc')) continue
        expect(answer.status, `${id} ${answer.text}`).toBe(200)
        const schema = described?.content?.['application/json']?.schema
        if (schema === undefined || answer.headers['content-type'] !== 'application/json') continue
        expect(check.check(answer.json(), schema as unknown as Schema), id).toEqual([])
        answered += 1
      }
    }
    expect(answered).toBeGreaterThan(45)
  })

  it('says why a stretch of time has no samples', async () => {
    for (const taskId of [ids.command, ids.first]) {
      const { text } = await read(`/api/v1/jobs/${taskId}/samples?from=9000&to=9001`)
      expect(text).toContain('it has no samples in this stretch of time')
    }
  })

  it('says which run an attempt is of', async () => {
    const placeOf = async (taskId: string) => {
      const { workflow_id, run_id } = (await read(`/api/v1/jobs/${taskId}`)).json() as Record<
        string,
        unknown
      >
      return { workflow_id, run_id }
    }
    expect(await placeOf(ids.first)).toEqual({ workflow_id: 1, run_id: 1 })
    expect(await placeOf(ids.command)).toEqual({ workflow_id: null, run_id: null })
  })

  it('knows of a job as soon as it tells of it', async () => {
    using place = sandbox()
    const own = await serve(place)
    const headers = { authorization: `Bearer ${own.token}` }
    const client = await LiveClient.open(own.port, '/api/v1/events', headers)
    for (const name of ['one', 'two', 'three']) {
      const running = place.start(['run', '--quiet', '--name', name, '--', 'sleep', '30'])
      const { data } = await client.until(
        (event) =>
          event.event === 'attempt' && (event.data['job'] as { name: string }).name === name,
      )
      const { task_id } = data['job'] as { task_id: string }
      const answer = await ask(own.port, `/api/v1/jobs/${task_id}`, { headers })
      expect([name, answer.status]).toEqual([name, 200])
      running.signal('SIGTERM')
      await running.ended
    }
    client.leave()
  })

  it('sends the same samples as the command line', async () => {
    const { stdout } = await box.jobmeter(['series', ids.command, '--format', 'csv'])
    const sent = await read(`/api/v1/jobs/${ids.command}/samples?format=csv`)
    expect(sent.text).toBe(stdout)
    const json = (await read(`/api/v1/jobs/${ids.command}/samples?raw=true`)).json() as {
      values: number[][]
    }
    expect(json.values[0]?.length).toBe(stdout.trim().split('\n').length - 1)
  })

  it('sends a log whole, its end, a part of it, and says where it has none', async () => {
    const path = `/api/v1/jobs/${ids.first}/logs/stdout`
    expect((await read(path)).text).toBe('written by first\n')
    expect((await read(`${path}?tail=6`)).text).toBe('first\n')
    const part = await read(path, { range: 'bytes=8-9' })
    expect([part.status, part.text, part.headers['content-range']]).toEqual([
      206,
      'by',
      'bytes 8-9/17',
    ])
    const beyond = await read(path, { range: 'bytes=17-' })
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, 'bytes */17'])
    expect((await read(`/api/v1/jobs/${ids.first}/logs/stderr`)).text).toBe('')
    expect((await read(`/api/v1/jobs/${ids.command}/logs/stdout`)).status).toBe(404)
  })

  it('follows a log to its end', async () => {
    const client = await LiveClient.open(
      served.port,
      `/api/v1/jobs/${ids.second}/logs/stderr?follow=true`,
      authorization,
    )
    await client.ended
    expect(client.events.map(({ event, data }) => [event, data['text']])).toEqual([
      ['log', 'oops\n'],
      ['end', undefined],
    ])
  })
})

describe('what a server cannot do', () => {
  it('is no fault of who asked, and nothing that is missing', async () => {
    using place = sandbox()
    const own = await serve(place, 'actions: { submit: true }\n')
    writeFileSync(join(dirname(place.db), 'submitted'), '')
    const bearer = { authorization: `Bearer ${own.token}` }
    const answer = await act(own, '/api/v1/jobs', { command: ['true'] }, bearer)
    expect([answer.status, answer.text]).toEqual([
      503,
      expect.stringContaining('could not be started'),
    ])
  })
})

describe('what a server does', () => {
  it('starts a command, tells its samples to all who listen, and ends it', async () => {
    const clients = await Promise.all(
      [1, 2, 3].map(() => LiveClient.open(served.port, '/api/v1/events', authorization)),
    )
    const [first] = clients
    if (first === undefined) throw new Error('nobody listens')
    const body = { command: ['sleep', '60'], name: 'submitted', tags: ['by the test'] }
    const started = await act(served, '/api/v1/jobs', body, authorization)
    expect(started.status).toBe(202)
    const { tag } = started.json() as { tag: string }
    const jobs = await until(
      async () => (await read(`/api/v1/jobs?tag=${tag}`)).json() as { jobs: { task_id: string }[] },
      (page) => page.jobs.length === 1,
    )
    const taskId = jobs.jobs[0]?.task_id ?? ''
    const isOf = (data: Record<string, unknown>): boolean =>
      (data['job'] as { task_id?: string } | undefined)?.task_id === taskId
    await first.until(({ event, data }) => event === 'attempt' && isOf(data))
    const sampled = await first.until(
      ({ event, data }) => event === 'samples' && data['task_id'] === taskId,
    )
    expect(sampled.data['columns']).toContain('cpu_percent')
    const cancelled = await act(served, `/api/v1/jobs/${taskId}/cancel`, {}, authorization)
    expect(cancelled.status).toBe(202)
    const isEnd = ({ event, data }: (typeof first.events)[number]): boolean =>
      event === 'attempt' && data['change'] === 'ended' && isOf(data)
    for (const client of clients) await client.until(isEnd)
    // What comes after that may be on its way to some of them.
    const told = clients.map(({ events }) =>
      events
        .slice(0, events.findIndex(isEnd) + 1)
        .map(({ id }) => id)
        .join(' '),
    )
    expect(new Set(told).size).toBe(1)
    expect(new Set(first.events.map(({ id }) => id)).size).toBe(first.events.length)
    const again = await act(served, `/api/v1/jobs/${taskId}/cancel`, {}, authorization)
    expect(again.status).toBe(409)
    await resumes(first)
    for (const client of clients) client.leave()
  })

  /** Who comes back gets what it missed, or is told to read everything anew. */
  async function resumes(gone: LiveClient): Promise<void> {
    const [, second] = gone.events
    const back = await LiveClient.open(served.port, `/api/v1/events?after=${second?.id}`, {
      ...authorization,
    })
    await back.until(({ id }) => id === gone.events.at(-1)?.id)
    const missed = gone.events.slice(2).map(({ id }) => id)
    expect(back.events.slice(0, missed.length).map(({ id }) => id)).toEqual(missed)
    back.leave()
    const lost = await LiveClient.open(served.port, '/api/v1/events', {
      ...authorization,
      'last-event-id': 'anotherboot.7',
    })
    await lost.until(({ event }) => event === 'reset')
    lost.leave()
  }

  it('keeps a workflow that is sent, runs it, and says what is wrong with one', async () => {
    const sent = {
      spec: 'name: sent\njobs: [{ name: one, command: "true" }]\n',
      file_name: 'a.yaml',
    }
    const started = await act(served, '/api/v1/workflows', sent, authorization)
    expect(started.status).toBe(202)
    const { workflow_id } = started.json() as { workflow_id: number }
    await until(
      async () =>
        (await read(`/api/v1/workflows/${workflow_id}`)).json() as {
          states: { success: number }
        },
      ({ states }) => states.success === 1,
    )
    const wrong = await act(
      served,
      '/api/v1/workflows',
      { spec: 'name: sent\njobz: []\n', file_name: 'a.yaml' },
      authorization,
    )
    expect(wrong.status).toBe(400)
    expect((wrong.json() as { detail: string }).detail).toContain('a.yaml:2')
  })

  it('ends streams when it is stopped', async () => {
    const client = await LiveClient.open(served.port, '/api/v1/events', authorization)
    expect(client.status).toBe(200)
    served.running.signal('SIGTERM')
    await client.ended
    expect((await served.running.ended).code).toBe(0)
  })
})
