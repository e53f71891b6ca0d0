import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import snappy from 'snappyjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RemoteTarget } from '../../src/model/remote-target.ts'
import { RemoteSenders } from '../../src/remote/remote-senders.ts'
import type { MetricFamily } from '../../src/render/metrics/family.ts'
import { unpackBatch } from '../../src/store/outgoing/batch-file.ts'
import { fakeSystem } from '../../src/system/fake.ts'
import { realSystem } from '../../src/system/real.ts'
import type { System } from '../../src/system/system.ts'
import { judged, whyNoProtoc } from './protobuf-judge.ts'
import { Receiver, type Answer } from './receiver.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-remote-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const written = { 'x-prometheus-remote-write-samples-written': '1' }
const taken: Answer = { status: 204, headers: written }

const targetAt = (url: string, more: Partial<RemoteTarget> = {}): RemoteTarget => ({
  name: 'one',
  url,
  protocol: 'remote-write-2',
  intervalSeconds: 60,
  timeoutSeconds: 5,
  labels: { cluster: 'c' },
  headers: { 'X-Scope-OrgID': 'lab' },
  headerFiles: {},
  bearerTokenFile: null,
  tls: { ca: null, certificate: null, key: null },
  bufferBytes: 1e6,
  ...more,
})

const real = realSystem({ ownsProcess: false })

/** A machine whose clock goes on by `advance`; each gathering tells how many there were before. */
function stage() {
  const clock = fakeSystem({})
  const system: System = { ...real, clock: clock.clock }
  const told: string[] = []
  let gathered = 0
  const families = (value: number): MetricFamily[] => [
    {
      name: 'jobmeter_test',
      kind: 'gauge',
      help: 'A test.',
      labels: [],
      samples: [{ labels: { turn: String(value % 2) }, value }],
    },
  ]
  const senders = new RemoteSenders(system, {
    directory: join(folder, 'db-remote'),
    sender: { service: 'jobmeter-test', instance: 'node01', version: '1.2.3' },
    gather: async () => families((gathered += 1)),
    tell: (words) => told.push(words),
  })
  return { senders, told, advance: (seconds: number) => clock.advance(seconds) }
}

const waiting = (): string[] =>
  readdirSync(join(folder, 'db-remote', 'one')).filter((name) => name.endsWith('.batch'))

/** Asks again and again, for at most ten seconds. */
async function until(what: string, isSo: () => boolean): Promise<void> {
  const giveUp = performance.now() + 60_000
  while (!isSo()) {
    if (performance.now() > giveUp) throw new Error(`not within 60 s: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const plain = (body: Buffer): Uint8Array => snappy.uncompress(new Uint8Array(body))

describe('metrics that are sent', () => {
  it('go out with the headers of remote write 2.0, and leave nothing on disk', async () => {
    await using receiver = await Receiver.start(() => taken)
    const token = join(folder, 'token')
    writeFileSync(token, 's3cret-token\n', { mode: 0o600 })
    const { senders } = stage()
    await senders.change([targetAt(receiver.url, { bearerTokenFile: token })])
    await receiver.got(1)
    expect(receiver.all[0]?.headers).toMatchObject({
      'content-type': 'application/x-protobuf;proto=io.prometheus.write.v2.Request',
      'content-encoding': 'snappy',
      'x-prometheus-remote-write-version': '2.0.0',
      'user-agent': 'jobmeter/1.2.3',
      'x-scope-orgid': 'lab',
      authorization: 'Bearer s3cret-token',
    })
    await until('nothing waits', () => waiting().length === 0)
    expect(senders.states()).toMatchObject([
      { target: 'one', samplesSent: 1, requests: 1, lagSeconds: 0 },
    ])
    await senders.close()
  })

  it.skipIf(whyNoProtoc())(
    'say who sends in labels, and tell once that a series is gone',
    async () => {
      await using receiver = await Receiver.start(() => ({ status: 200 }))
      const { senders, advance } = stage()
      await senders.change([targetAt(receiver.url, { protocol: 'remote-write-1' })])
      await receiver.got(1)
      advance(60)
      await receiver.got(2)
      advance(60)
      await receiver.got(3)
      const read = judged(
        'remote_write_1',
        'WriteRequest',
        receiver.all.map(({ body }) => plain(body)),
      ) as unknown as {
        timeseries: { labels: { value: string }[]; samples: { value: string }[] }[]
      }[]
      expect(
        read.map(({ timeseries }) =>
          timeseries.map(({ labels, samples }) => [
            labels.map(({ value }) => value).join(' '),
            samples[0]?.value,
          ]),
        ),
      ).toEqual([
        [['jobmeter_test c node01 jobmeter-test 1', '3ff0000000000000']],
        [
          ['jobmeter_test c node01 jobmeter-test 0', '4000000000000000'],
          ['jobmeter_test c node01 jobmeter-test 1', '7ff0000000000002'],
        ],
        [
          ['jobmeter_test c node01 jobmeter-test 1', '4008000000000000'],
          ['jobmeter_test c node01 jobmeter-test 0', '7ff0000000000002'],
        ],
      ])
      await senders.close()
    },
  )

  it.each([
    ['415', { status: 415 }],
    ['400, as receivers of 1.0 may', { status: 400 }],
    ['success, but do not say that anything was written', { status: 204 }],
  ])('go back to 1.0 where others answer %s', async (_, answer) => {
    await using receiver = await Receiver.start(({ headers }) =>
      headers['x-prometheus-remote-write-version'] === '0.1.0' ? { status: 204 } : answer,
    )
    const { senders, told, advance } = stage()
    await senders.change([targetAt(receiver.url)])
    await receiver.got(2)
    advance(60)
    await receiver.got(3)
    const versions = receiver.all.map(({ headers }) => headers['x-prometheus-remote-write-version'])
    expect(versions).toEqual(['2.0.0', '0.1.0', '0.1.0'])
    await until('nothing waits', () => waiting().length === 0)
    expect(told).toEqual([])
    await senders.close()
  })

  it('are sent again, in order, once a server that failed works again', async () => {
    let works = false
    await using receiver = await Receiver.start(() => (works ? taken : { status: 503 }))
    const { senders, told, advance } = stage()
    await senders.change([targetAt(receiver.url)])
    const failures = () => senders.states()[0]?.failures.server_error
    await until('it failed', () => failures() === 1)
    advance(60)
    await until('two wait, and it failed again', () => waiting().length === 2 && failures() === 2)
    works = true
    advance(300)
    await until('nothing waits', () => waiting().length === 0)
    expect(told).toEqual([
      'metrics for one: the server answered 503',
      'metrics for one: sent again',
    ])
    const [state] = senders.states()
    expect(state?.failures.server_error).toBeGreaterThanOrEqual(2)
    expect(state?.samplesSent).toBeGreaterThanOrEqual(2)
    await senders.close()
  })

  it('wait as long as a server asks for that has too much to do', async () => {
    await using receiver = await Receiver.start((__, place) =>
      place === 0 ? { status: 429, headers: { 'retry-after': '30' } } : taken,
    )
    const { senders, advance } = stage()
    await senders.change([targetAt(receiver.url, { intervalSeconds: 3600 })])
    await receiver.got(1)
    await until('it is counted', () => senders.states()[0]?.failures.too_many === 1)
    advance(29)
    await new Promise((resolve) => setImmediate(resolve))
    expect(receiver.all).toHaveLength(1)
    advance(2)
    await receiver.got(2)
    await until('nothing waits', () => waiting().length === 0)
    await senders.close()
  })

  it('are dropped, and that is told, where they are refused', async () => {
    await using receiver = await Receiver.start(() => ({ status: 403 }))
    const { senders, told } = stage()
    await senders.change([targetAt(receiver.url)])
    await receiver.got(1)
    await until('nothing waits', () => waiting().length === 0)
    expect(told).toEqual(['metrics for one: the server answered 403; what it refuses is dropped'])
    expect(senders.states()).toMatchObject([{ samplesDropped: { refused: 1 }, samplesSent: 0 }])
    await senders.close()
  })

  it('go to OTLP as JSON, and what it leaves out is counted', async () => {
    const body = JSON.stringify({ partialSuccess: { rejectedDataPoints: '1', errorMessage: 'no' } })
    await using receiver = await Receiver.start(() => ({ status: 200, body }))
    const { senders, told } = stage()
    await senders.change([targetAt(receiver.url, { protocol: 'otlp', labels: { job: 'mine' } })])
    await receiver.got(1)
    const [received] = receiver.all
    expect(received?.headers).toMatchObject({ 'content-type': 'application/json' })
    const sent = JSON.parse(String(gunzipSync(received?.body ?? Buffer.alloc(0)))) as object
    expect(sent).toMatchObject({
      resourceMetrics: [
        {
          resource: {
            attributes: [
              { key: 'service.name', value: { stringValue: 'mine' } },
              { key: 'service.instance.id', value: { stringValue: 'node01' } },
              { key: 'service.version', value: { stringValue: '1.2.3' } },
            ],
          },
        },
      ],
    })
    await until('it is counted', () => senders.states()[0]?.samplesDropped.refused === 1)
    expect(told).toEqual(['metrics for one: 1 samples were refused'])
    await senders.close()
  })

  it('wait for others neither with a server that never answers, nor with one that is gone', async () => {
    await using silent = await Receiver.start(() => 'silence')
    await using works = await Receiver.start(() => taken)
    const { senders, advance } = stage()
    await senders.change([
      targetAt(silent.url, { name: 'one', timeoutSeconds: 3600, bufferBytes: 20_000 }),
      targetAt('http://127.0.0.1:1/', { name: 'gone', bufferBytes: 20_000 }),
      targetAt(works.url, { name: 'works' }),
    ])
    for (let turn = 1; turn <= 300; turn += 1) {
      await works.got(turn)
      await until('it was taken', () => senders.states()[2]?.waitingBatches === 0)
      advance(60)
    }
    expect(silent.all).toHaveLength(1)
    const [held, gone, fine] = senders.states()
    expect(held?.waitingBytes).toBeLessThanOrEqual(20_000)
    expect(held?.waitingBatches).toBeGreaterThan(50)
    expect(held?.samplesDropped.buffer_full).toBeGreaterThan(0)
    expect(gone?.failures.no_answer).toBeGreaterThan(3)
    expect(fine?.samplesSent).toBeGreaterThanOrEqual(300)
    // Without an hour for the answer that never comes.
    await senders.close()
  })

  it('never show a secret in what is told', async () => {
    const token = join(folder, 'token')
    writeFileSync(token, 's3cret\n', { mode: 0o644 })
    chmodSync(token, 0o644)
    await using receiver = await Receiver.start(() => ({ status: 500, body: 's3cret' }))
    const { senders, told, advance } = stage()
    await senders.change([targetAt(receiver.url, { bearerTokenFile: token })])
    await until('told', () => told.length === 1)
    expect(told[0]).toContain('can be read by others')
    expect(receiver.all).toEqual([])
    chmodSync(token, 0o600)
    advance(60)
    await receiver.got(1)
    await until('told', () => told.length === 2)
    expect(told.join()).not.toContain('s3cret')
    await senders.close()
    const kept = join(folder, 'db-remote', 'one')
    const texts = readdirSync(kept).map(async (name) => {
      const bytes = readFileSync(join(kept, name))
      return name.endsWith('.batch') ? unpackBatch(bytes) : String(bytes)
    })
    expect(texts.length).toBeGreaterThan(2)
    expect((await Promise.all(texts)).join()).toContain('jobmeter_test')
    expect((await Promise.all(texts)).join()).not.toContain('s3cret')
  })

  it('stay for the next who starts, and are sent by one alone', async () => {
    const first = stage()
    await first.senders.change([targetAt('http://127.0.0.1:1/')])
    await until('one waits', () => waiting().length === 1)
    const second = stage()
    await second.senders.change([targetAt('http://127.0.0.1:1/')])
    expect(second.told[0]).toMatch(
      /^metrics for one are not sent: another jobmeter sends what waits/,
    )
    await first.senders.close()
    await using receiver = await Receiver.start(() => taken)
    const third = stage()
    await third.senders.change([targetAt(receiver.url)])
    await receiver.got(2)
    await until('nothing waits', () => waiting().length === 0)
    expect(third.senders.states()).toMatchObject([{ samplesSent: 2 }])
    await third.senders.close()
    expect(existsSync(join(folder, 'db-remote', 'one', 'standing.json'))).toBe(true)
  })
})
