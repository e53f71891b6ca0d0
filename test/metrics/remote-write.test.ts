import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { alertsDatabase } from '../../src/service/alerts/alerts-path.ts'
import { parseOpenMetrics } from '../parse-openmetrics.ts'
import { sandbox, type Running, type Sandbox } from '../program.ts'
import { makeAlerts, makeNodes } from './made-site.ts'
import { Prometheus, whyNoPrometheus, whyNoPrometheus3 } from './prometheus.ts'
import { startVictoriaMetrics, whyNoVictoriaMetrics } from './victoria-metrics.ts'

const noPrometheus = whyNoPrometheus()
const noPrometheus3 = whyNoPrometheus3()
const noVictoriaMetrics = whyNoVictoriaMetrics()

/**
 * Stores that are asked in PromQL, each with what is sent to it. Before version 3, Prometheus knows remote write 1.0 alone, as
 * VictoriaMetrics does; a later one is told to refuse it. `digits`: how many of a
 * figure are sure to come back; VictoriaMetrics keeps decimal numbers, and rounds the last digits of some.
 */
const stores = [
  {
    name: 'Prometheus',
    missing: noPrometheus,
    start: () => Prometheus.start('', '--web.enable-remote-write-receiver'),
    protocol: 'remote-write-2',
    path: '/api/v1/write',
    digits: 17,
  },
  {
    name: 'Prometheus 3',
    missing: noPrometheus3,
    start: () =>
      Prometheus.start(
        '',
        '--web.enable-remote-write-receiver',
        '--web.remote-write-receiver.accepted-protobuf-messages=io.prometheus.write.v2.Request',
      ),
    protocol: 'remote-write-2',
    path: '/api/v1/write',
    digits: 17,
  },
  {
    name: 'Prometheus 3',
    missing: noPrometheus3,
    start: () => Prometheus.start('', '--web.enable-otlp-receiver'),
    protocol: 'otlp',
    path: '/api/v1/otlp/v1/metrics',
    digits: 17,
  },
  {
    name: 'VictoriaMetrics',
    missing: noVictoriaMetrics,
    start: startVictoriaMetrics,
    protocol: 'remote-write-1',
    path: '/api/v1/write',
    digits: 10,
  },
  {
    name: 'VictoriaMetrics, by way of 2.0',
    missing: noVictoriaMetrics,
    start: startVictoriaMetrics,
    protocol: 'remote-write-2',
    path: '/api/v1/write',
    digits: 10,
  },
] as const

/** Does not change while nothing runs; the age of rounds and the server's own figures do. */
const steady = /^jobmeter_(node|gpu|jobs|running|workflow|alerts|build)_(?!round_age)/

const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1

type Told = ReadonlyMap<string, number>

const keyOf = (labels: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(labels).toSorted(byKey))

async function scraped(address: string, token: string): Promise<Told> {
  const answer = await fetch(new URL('/metrics', address), {
    headers: { authorization: `Bearer ${token}`, accept: 'application/openmetrics-text' },
  })
  const families = [...parseOpenMetrics(await answer.text()).values()]
  return new Map(
    families
      .flatMap(({ samples }) => samples)
      .filter(({ name }) => steady.test(name) && !name.endsWith('_created'))
      .map(({ name, labels, value }) => [keyOf({ __name__: name, ...labels }), value]),
  )
}

const senders: ReadonlySet<string> = new Set(['job', 'instance', 'cluster'])

/** The same as a store has it, without the labels that say who sent it. */
async function stored(store: Prometheus, job: string): Promise<Told> {
  const query = `{__name__=~"jobmeter_.+",job="${job}",instance="${hostname()}",cluster="lab"}`
  const told = (await store.series(query)).map(({ metric, value }) => {
    const own = Object.entries(metric as Record<string, string>).filter(
      ([name]) => !senders.has(name),
    )
    return [Object.fromEntries(own), Number(value[1])] as const
  })
  return new Map(
    told
      .filter(([{ __name__: name = '' }]) => steady.test(name))
      .map(([labels, value]) => [keyOf(labels), value]),
  )
}

const serve = (nodes: string): string[] =>
  `serve --listen 127.0.0.1:0 --format json --config server.yaml --node-db ${nodes}`.split(' ')

const remoteYaml = (url: string, protocol: string): string =>
  `remote:\n  - name: store\n    url: ${url}\n    protocol: ${protocol}\n    interval: 1s\n    labels: { cluster: lab }\n`

describe.concurrent.each(stores)(
  'metrics in $name ($protocol)',
  ({ missing, start, protocol, path, digits }) => {
    describe.skipIf(missing)('from real programs', () => {
      let box: Sandbox
      let store: Prometheus
      const running: Running[] = []

      beforeAll(async () => {
        box = sandbox()
        store = await start()
      })
      afterAll(async () => {
        for (const one of running) one.signal('SIGKILL')
        await store?.[Symbol.asyncDispose]()
        box?.[Symbol.dispose]()
      })

      it('are what a scrape of the server tells', async ({ expect }) => {
        writeFileSync(
          box.path('wf.yaml'),
          'name: pipeline\njobs:\n  - {name: one, command: "true"}\n  - {name: two, command: "false"}\n',
        )
        await box.jobmeter(['run', '--quiet', '--name', 'solve "it" ä', '--', 'sh', '-c', 'true'])
        await box.jobmeter(['run', '--quiet', '--name', 'broken', '--', 'false'])
        await box.jobmeter(['run', 'wf.yaml'])
        makeNodes(box.path('node.db'), Date.now() / 1e3)
        makeAlerts(alertsDatabase(box.db), Date.now() / 1e3)
        writeFileSync(box.path('server.yaml'), remoteYaml(store.url + path, protocol), {
          mode: 0o600,
        })
        const server = box.start(serve(box.path('node.db')))
        running.push(server)
        const { address, url } = JSON.parse(await server.saw('}\n')) as Record<
          'address' | 'url',
          string
        >
        const token = new URL(url).searchParams.get('token') ?? ''
        const rounded = (told: Told) =>
          [...told]
            .map(([key, value]) => [key, Number(value.toPrecision(digits))] as const)
            .toSorted(byKey)
        let wanted: Told = new Map()
        let found: Told = new Map()
        await store
          .until('the store has what a scrape tells', async () => {
            wanted = await scraped(address, token)
            found = await stored(store, 'jobmeter-server')
            return JSON.stringify(rounded(wanted)) === JSON.stringify(rounded(found))
          })
          // What differs says more than that something does.
          .catch(() => undefined)
        expect(rounded(found)).toEqual(rounded(wanted))
        expect(wanted.size).toBeGreaterThan(60)
        const names = new Set(
          [...wanted.keys()].map((key) =>
            new Map(JSON.parse(key) as [string, string][]).get('__name__'),
          ),
        )
        expect(names).toContain('jobmeter_jobs_cpu_seconds_total')
        expect(names).toContain('jobmeter_gpu_power_watts')
        expect(names).toContain('jobmeter_workflow_jobs')
        expect(names).toContain('jobmeter_alerts_firing')
        // Of the scrapes that were made just now.
        await store.until('the store has the durations of scrapes', async () => {
          const name = 'jobmeter_server_request_duration_seconds_bucket'
          return (await store.series(`${name}{route="/metrics",le="+Inf"}`)).length === 1
        })
        // The first batch tells that none was sent before it.
        await store.until('the store has how much was sent', async () => {
          const [sent] = await store.series(
            'jobmeter_remote_samples_sent_total{target="store",job="jobmeter-server"}',
          )
          return Number(sent?.value[1]) > wanted.size
        })
        const told = await fetch(new URL('/metrics', address), {
          headers: { authorization: `Bearer ${token}` },
        })
        expect(await told.text()).toMatch(
          /jobmeter_remote_samples_dropped_total\{target="store",reason="refused"\} 0\n/,
        )
        server.signal('SIGTERM')
        expect((await server.ended).stderr).not.toContain('metrics for')
      })

      it('are what an agent saw of its node', async ({ expect }) => {
        writeFileSync(box.path('agent.yaml'), remoteYaml(store.url + path, protocol))
        const db = box.path('own-node.db')
        const agent = box.start(['agent', '--interval', '1s', '--config', 'agent.yaml', '--db', db])
        running.push(agent)
        await store.until('the store has the node', async () => {
          const found = await store.series(
            `jobmeter_node_cores{host="${hostname()}",job="jobmeter-agent"}`,
          )
          return found.length === 1
        })
        const value = async (query: string) => Number((await store.series(query))[0]?.value[1])
        const { cpus, totalmem } = await import('node:os')
        expect(await value('jobmeter_node_cores{job="jobmeter-agent"}')).toBe(cpus().length)
        expect(await value('jobmeter_node_memory_size_bytes{job="jobmeter-agent"}')).toBe(
          totalmem(),
        )
        agent.signal('SIGTERM')
        expect(await agent.ended).toMatchObject({ code: 0 })
      })
    })
  },
)
