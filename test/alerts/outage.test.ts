import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readAlerts } from '../../src/alert/config/read-alerts.ts'
import { send } from '../../src/alert/channels/send.ts'
import { channelDoor } from '../../src/service/alerts/channel-door.ts'
import { Deliverer } from '../../src/service/alerts/deliver.ts'
import type { AlertStore, NewNotice } from '../../src/store/alerts/alert-store.ts'
import { openAlerts } from '../../src/store/alerts/open-alerts.ts'
import { realSystem } from '../../src/system/real.ts'
import { randomId } from '../../src/system/random-id.ts'
import { alertsIn, busy, httpServer, silent, yes, type HttpDouble } from './servers.ts'
import { freePort } from '../free-port.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { until } from '../workflow/flow.ts'
import { repository } from '../workloads/compile.ts'

const began = 1_800_000_000
const ops = { config: '/alerts.yaml', channel: 'ops' }
const to = [ops]

const notice = (at: number, job: string): NewNotice => ({
  rule: 'job-failed',
  severity: 'critical',
  subject: { host: 'node1', job, taskId: job, gpu: null },
  text: `${job} failed`,
  metric: 'failed',
  value: 1,
  threshold: 0,
  at,
})

describe('a server that is down for a minute, in simulated time', () => {
  let directory: string
  let store: AlertStore

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'jobmeter-outage-'))
    store = openAlerts(join(directory, 'alerts.db'))
  })

  afterEach(() => {
    store.close()
    rmSync(directory, { recursive: true })
  })

  /** Delivers in steps of a second, at a time that is ours. */
  async function simulate(
    server: HttpDouble,
    seconds: number,
    { pace = '', onSecond = () => {} }: { pace?: string; onSecond?: (second: number) => void },
  ): Promise<Deliverer> {
    const yaml = `channels: [{name: ops, type: webhook, url_env: HOOK, timeout: 0.2s${pace}}]`
    const read = readAlerts(yaml, 'alerts.yaml', String)
    if (read.kind !== 'ok') throw new Error(JSON.stringify(read.errors))
    let now = began
    const [channel = 'none'] = read.value.channels
    const door = channelDoor(realSystem({ ownsProcess: false }), 0.2, { HOOK: server.url })
    const deliverer = new Deliverer({
      store,
      wallSeconds: () => now,
      newId: randomId,
      channel: () => Promise.resolve(channel),
      lacks: () => null,
      hold: () => true,
      send: (each, message) => send(each, message, door),
    })
    for (let second = 0; second <= seconds; second++) {
      now = began + second
      onSecond(second)
      await deliverer.begin()
      await Promise.all(deliverer.underWay)
    }
    return deliverer
  }

  const fireEach = (every: number, last: number) => (second: number) => {
    if (second % every === 0 && second <= last)
      store.fire(`job${second}`, randomId(), notice(began + second, `job${second}`), null, to)
  }

  it('lets a message that is refused for what it is hold up no other for long', async () => {
    await using server = await httpServer()
    let refused = 0
    await simulate(server, 120, {
      pace: ', group_wait: 0s, retry: {first: 1s, longest: 2s}',
      onSecond(second) {
        server.answer = (response) => {
          if (second > 10) return yes(response)
          refused += 1
          response.writeHead(400).end('invalid_blocks')
          return 'refused'
        }
        if (second === 0) fireEach(1, 0)(0)
        if (second === 20) fireEach(20, 20)(20)
      },
    })
    expect(refused).toBe(3)
    expect(alertsIn(server.taken).map(({ job_name: job }) => job)).toEqual(['job20'])
    expect(store.queue.isEmpty).toBe(true)
  })

  it('has the others arrive where one of several is refused', async () => {
    await using server = await httpServer()
    await simulate(server, 60, {
      pace: ', group_wait: 2s, retry: {first: 1s, longest: 2s}',
      onSecond(second) {
        server.answer = (response, request) => {
          if (!request.body.includes('"job1"')) return yes(response)
          response.writeHead(400).end('invalid_blocks')
          return 'refused'
        }
        fireEach(1, 2)(second)
      },
    })
    expect(alertsIn(server.taken).map(({ job_name: job }) => job)).toEqual(['job0', 'job2'])
    expect(store.queue.isEmpty).toBe(true)
  })

  it.each([
    ['answers 503', busy],
    ['hangs', silent],
    [
      'takes the message and breaks off',
      (response: Parameters<typeof yes>[0]) => {
        response.destroy()
        return 'refused' as const
      },
    ],
  ])('loses nothing and keeps the order if it %s', async (_, broken) => {
    await using server = await httpServer()
    const deliverer = await simulate(server, 400, {
      onSecond(second) {
        server.answer = second >= 5 && second < 65 ? broken : yes
        fireEach(7, 63)(second)
      },
    })
    const told = alertsIn(server.taken).map(({ job_name: job }) => job)
    expect(told).toEqual(Array.from({ length: 10 }, (_each, index) => `job${index * 7}`))
    expect(store.queue.isEmpty).toBe(true)
    // Twice as long each time: 2, 4, 8, 16, 32 s.
    expect(deliverer.failures).toBeGreaterThan(3)
    expect(deliverer.failures).toBeLessThan(9)
    const ids = alertsIn(server.all).map(({ id }) => id)
    expect(new Set(ids).size).toBe(10)
  })

  it('sends the same message again with the same id, if it was taken but the answer was lost', async () => {
    await using server = await httpServer()
    let count = 0
    server.answer = (response) => {
      count += 1
      if (count > 1) return yes(response)
      response.destroy()
      return 'refused'
    }
    await simulate(server, 60, { onSecond: fireEach(100, 0) })
    expect(server.all).toHaveLength(2)
    const [first, second] = server.all
    expect(second?.body).toBe(first?.body)
    expect(second?.headers['x-jobmeter-delivery']).toBe(first?.headers['x-jobmeter-delivery'])
  })

  it('tells many at once, and no more often than it may', async () => {
    await using server = await httpServer()
    await simulate(server, 1300, {
      pace: ', group_wait: 5s, rate_limit: {messages: 3, per: 10m}',
      onSecond: fireEach(1, 90),
    })
    const told = alertsIn(server.taken).map(({ job_name: job }) => job)
    expect(told).toEqual(Array.from({ length: 91 }, (_each, second) => `job${second}`))
    expect(server.taken.length).toBeLessThan(7)
    expect(alertsIn(server.taken.slice(0, 1))).toHaveLength(6)
  })

  it('is given up after a month if nobody could try', () => {
    const day = 24 * 3600
    const lacking = 'not tried: HOOK is not set'
    store.fire('a', randomId(), notice(began, 'a'), null, to)
    store.queue.untried(ops, lacking)
    const [one] = store.list(true, 1)
    expect(one?.deliveries).toMatchObject([{ state: 'waiting', attempts: 0, lastError: lacking }])
    store.tidy(began + 30 * day)
    expect(store.queue.isEmpty).toBe(false)
    store.tidy(began + 30 * day + 1)
    expect(store.queue.isEmpty).toBe(true)
    const [left] = store.list(true, 1)
    expect(left?.deliveries).toMatchObject([{ state: 'given up', lastError: lacking }])
    store.tidy(began + 38 * day)
    expect(store.list(true, 1)).toEqual([])
  })

  it('is given up only after the time that was set', async () => {
    await using server = await httpServer()
    server.answer = busy
    await simulate(server, 200, {
      pace: ', retry: {first: 10s, longest: 10s, give_up: 100s}',
      onSecond: fireEach(1000, 0),
    })
    expect(store.queue.isEmpty).toBe(true)
    const [alert] = store.list(true, 10)
    expect(alert?.deliveries).toMatchObject([
      { state: 'given up', lastError: 'the server answered 503' },
    ])
  })

  it('is told once of what several see, and that it is over when the last one says so', () => {
    const owner = { host: 'h', bootId: 'b', pid: 1, startTicks: 1 }
    const see = (taskId: string) =>
      store.fire('machine', randomId(), notice(began, 'm'), { taskId, owner }, to)
    expect(see('a')).toMatchObject({ kind: 'firing' })
    expect(see('b')).toBeNull()
    expect(see('b')).toBeNull()
    expect(store.resolve('machine', notice(began + 5, 'm'), 'a', to)).toBeNull()
    expect(store.resolve('machine', notice(began + 9, 'm'), 'b', to)).toMatchObject({
      kind: 'resolved',
      firedAt: began,
    })
    expect(store.resolve('machine', notice(began + 9, 'm'), 'b', to)).toBeNull()
    expect(store.list(true, 10).map(({ deliveries }) => deliveries.length)).toEqual([2])
  })
})

describe('an alert that nobody resolves', () => {
  const day = 24 * 3600

  it('fires for a week and is forgotten a month later', () => {
    const directory = mkdtempSync(join(tmpdir(), 'jobmeter-expiry-'))
    const store = openAlerts(join(directory, 'alerts.db'))
    try {
      const owner = { host: 'h', bootId: 'b', pid: 1, startTicks: 1 }
      const held = { taskId: 'long', owner }
      store.fire('end', randomId(), notice(began, 'end'), null, [])
      store.fire('held', randomId(), notice(began, 'held'), held, [])
      const firing = (): unknown[] => store.list(false, 10).map(({ text }) => text)
      store.tidy(began + 7 * day)
      expect(firing()).toEqual(['held failed', 'end failed'])
      store.tidy(began + 7 * day + 1)
      expect(firing()).toEqual(['held failed'])
      expect(store.list(true, 10)[1]).toMatchObject({
        resolvedAt: began + 7 * day,
        resolvedBecause: 'not known any more: the job has not run well for 7 days',
      })
      // A later alert tidies too: a console has nobody who delivers.
      store.fire('later', randomId(), notice(began + 37 * day + 1, 'later'), null, [])
      expect(store.list(true, 10).map(({ text }) => text)).toEqual(['later failed', 'held failed'])
    } finally {
      store.close()
      rmSync(directory, { recursive: true })
    }
  })
})

const yaml = (more = ''): string => `channels:
  - name: ops
    type: webhook
    url_env: HOOK
    group_wait: 0s
    timeout: 1s
    retry: {first: 200ms, longest: 500ms}
${more}`

function setUp(box: Sandbox, more = ''): void {
  writeFileSync(box.path('alerts.yaml'), yaml(more))
}

const fail = (name: string): string[] => [
  'run',
  '-q',
  '--alerts',
  'alerts.yaml',
  '--name',
  name,
  '--',
  'false',
]

describe('a real outage', () => {
  it('of seconds loses nothing, though no runner waits for it', async () => {
    using box = sandbox()
    const port = await freePort()
    setUp(box)
    const env = { HOOK: `http://127.0.0.1:${port}/hook` }
    for (const name of ['one', 'two', 'three']) {
      const ended = await box.jobmeter(fail(name), { env })
      expect(ended.code).toBe(1)
    }
    const down = await box.jobmeter(['alerts', 'list', '--format', 'json'])
    expect(down.stdout).toContain('ECONNREFUSED')
    expect(down.stdout).not.toContain('/hook')
    await using server = await httpServer(port)
    server.answer = busy
    setTimeout(() => (server.answer = yes), 2500)
    await server.until((taken) => alertsIn(taken).length >= 3)
    expect(alertsIn(server.taken).map(({ job_name: job }) => job)).toEqual(['one', 'two', 'three'])
    await box.jobmeter(['alerts', 'deliver'], { env })
    expect(alertsIn(server.taken)).toHaveLength(3)
  })

  it('does not hold up a job: one that fails is over while the server hangs', async () => {
    using box = sandbox()
    await using server = await httpServer()
    server.answer = silent
    setUp(box, '')
    const ended = await box.jobmeter(fail('slow'), { env: { HOOK: server.url } })
    expect(ended.code).toBe(1)
    // Until then nobody has answered; what is queued is tried again and again.
    await server.until(() => server.all.length >= 2)
    server.answer = yes
    await server.until((taken) => taken.length === 1)
  })
})

// From here on at once: each has a server and a queue of its own, and mostly waits for the next attempt.
describe.concurrent('a runner that is killed', () => {
  const stuck = `rules: [{name: job-stuck, for: 0s}]
`

  it('leaves what it queued to be delivered, and its alerts are over', async () => {
    using box = sandbox()
    await using server = await httpServer()
    server.answer = busy
    setUp(box, stuck)
    const env = { HOOK: server.url }
    const args = ['run', '--alerts', 'alerts.yaml', '--name', 'idle', '--', 'sleep', '30']
    const runner = box.start(args, { env })
    await server.until(() => server.all.length >= 1)
    runner.signal('SIGKILL')
    await runner.ended
    server.answer = yes
    await server.until((taken) => alertsIn(taken).some(({ rule }) => rule === 'job-stuck'))
    const listed = await box.jobmeter(['alerts', 'list', '--format', 'json'], { env })
    expect(JSON.parse(listed.stdout)).toEqual([])
    await box.jobmeter(['alerts', 'deliver'], { env })
    expect(alertsIn(server.taken).map(({ status }) => status)).toEqual(['firing', 'resolved'])
    const ids = alertsIn(server.all).map(({ id }) => id)
    expect(new Set(ids).size).toBe(2)
  })

  it('with the one that delivers, too, loses nothing', async () => {
    using box = sandbox()
    await using server = await httpServer()
    server.answer = silent
    setUp(box)
    const env = { HOOK: server.url }
    await box.jobmeter(fail('one'), { env })
    await server.until(() => server.all.length >= 1)
    const found = await box.shell(`pgrep -f "alerts deliver --quiet --db ${box.db}"`)
    const pid = Number(found.stdout.split('\n')[0])
    process.kill(pid, 'SIGKILL')
    server.answer = yes
    // Whoever took it may be about to answer: it is another's only after a while.
    const again = await box.jobmeter(['alerts', 'deliver', '--for', '50s'], { env })
    expect(again.stdout).toContain('1 delivered')
    expect(alertsIn(server.taken).map(({ job_name: job }) => job)).toEqual(['one'])
  })
})

describe.concurrent('a file that another process has locked', () => {
  it('keeps no job from ending, and what could not be kept is told', async () => {
    using box = sandbox()
    await using server = await httpServer()
    setUp(box)
    const env = { HOOK: server.url }
    await box.jobmeter(fail('one'), { env })
    await server.until((taken) => taken.length === 1)
    const database = new DatabaseSync(box.path('alerts.db'), { timeout: 10_000 })
    database.exec('BEGIN IMMEDIATE')
    const locked = await box.jobmeter(fail('two'), { env })
    expect(locked.code).toBe(1)
    expect(locked.stderr).toContain('some alerts were not kept')
    const running = box.jobmeter(fail('three'), { env })
    setTimeout(() => database.exec('COMMIT'), 1000)
    expect((await running).stderr).toBe('')
    database.close()
    await server.until((taken) => alertsIn(taken).some(({ job_name: job }) => job === 'three'))
  })
  it('loses nothing if how the job ended cannot be told: jobmeter was upgraded meanwhile', async () => {
    using box = sandbox()
    await using server = await httpServer()
    setUp(box)
    const env = { HOOK: server.url, JOBMETER_PRICES: box.path('prices.yaml') }
    writeFileSync(box.path('prices.yaml'), 'currency: EUR\n')
    for (const part of ['bin', 'dist/cli', 'package.json'])
      cpSync(join(repository, part), box.path(part), { recursive: true })
    symlinkSync(join(repository, 'node_modules'), box.path('node_modules'))
    await box.jobmeter(fail('one'), { env })
    await server.until((taken) => taken.length === 1)
    const database = new DatabaseSync(box.path('alerts.db'), { timeout: 10_000 })
    database.exec('BEGIN IMMEDIATE')
    const script = 'rm dist/cli/cost-line-*; touch began; exit 3'
    const running = box.shell(
      `"${process.execPath}" bin/jobmeter.cjs run --alerts alerts.yaml --name two -- sh -c '${script}'`,
      { env },
    )
    await until(() => existsSync(box.path('began')))
    setTimeout(() => database.exec('COMMIT'), 1000)
    const ended = await running
    database.close()
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('cost-line') })
    await server.until((taken) => alertsIn(taken).some(({ job_name: job }) => job === 'two'))
  })
})

describe.concurrent('one who has not the secret', () => {
  const listed = async (box: Sandbox) => {
    const { stdout } = await box.jobmeter(['alerts', 'list', '--format', 'json'])
    return (JSON.parse(stdout) as { deliveries: object[] }[]).flatMap(
      ({ deliveries }) => deliveries,
    )
  }

  it('ends without a try, says what is missing, and leaves it to one who has it', async () => {
    using box = sandbox()
    await using server = await httpServer()
    setUp(box)
    await box.jobmeter(fail('without'))
    const deliver = ['alerts', 'deliver', '--for', '30s']
    const alone = await box.jobmeter(deliver)
    expect(alone).toMatchObject({
      code: 1,
      stdout:
        '0 delivered, 0 failed attempts; the rest needs secrets that are not set here: see jobmeter alerts list\n',
    })
    expect(await listed(box)).toMatchObject([
      {
        state: 'waiting',
        attempts: 0,
        last_error: 'not tried: the environment variable HOOK is not set where jobmeter ran',
      },
    ])
    const env = { HOOK: server.url }
    await box.jobmeter(fail('with'), { env })
    await server.until((taken) => alertsIn(taken).length === 2)
    await box.jobmeter(deliver, { env })
    expect(await listed(box)).toMatchObject(
      ['with', 'without'].map(() => ({ state: 'delivered', attempts: 1, last_error: null })),
    )
  })

  it('does not keep one who has it waiting while it tries another channel', async () => {
    using box = sandbox()
    await using down = await httpServer()
    await using server = await httpServer()
    down.answer = busy
    const other =
      '  - {name: other, type: webhook, url_env: OTHER, group_wait: 0s, retry: {first: 200ms, longest: 500ms}}\n'
    setUp(box, other)
    await box.jobmeter(fail('without'), { env: { OTHER: down.url } })
    await down.until(() => down.all.length >= 2)
    const env = { OTHER: down.url, HOOK: server.url }
    await box.jobmeter(fail('with'), { env })
    await server.until((taken) => alertsIn(taken).length === 2)
    const tries = down.all.length
    await down.until(() => down.all.length > tries + 2)
    down.answer = yes
    await down.until((taken) => alertsIn(taken).length === 2)
    const ids = alertsIn(server.all).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe.concurrent('two runners', () => {
  it('share the queue, and nothing is sent twice', async () => {
    using box = sandbox()
    await using server = await httpServer()
    setUp(box)
    const env = { HOOK: server.url }
    const names = Array.from({ length: 8 }, (_, index) => `job${index}`)
    await Promise.all(names.map((name) => box.jobmeter(fail(name), { env })))
    await Promise.all([0, 1].map(() => box.jobmeter(['alerts', 'deliver'], { env })))
    await server.until((taken) => alertsIn(taken).length >= names.length)
    const told = alertsIn(server.all).map(({ job_name: job }) => job)
    expect(new Set(told)).toEqual(new Set(names))
    expect(told).toHaveLength(names.length)
    const kept = readdirSync(box.directory).filter((name) => name.startsWith('alerts.db'))
    for (const name of kept)
      expect(readFileSync(box.path(name), 'latin1')).not.toContain('very-secret-path')
    expect(kept).toContain('alerts.db')
  })
})
