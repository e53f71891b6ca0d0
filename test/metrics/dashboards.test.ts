import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { openLedgerAt } from '../../src/record/open-ledger.ts'
import { metricsText } from '../../src/render/metrics/metrics-text.ts'
import { metricsContentType, metricsFormat } from '../../src/render/metrics/negotiate.ts'
import { OwnMetricsBook } from '../../src/server/own-metrics.ts'
import { alertsDatabase } from '../../src/service/alerts/alerts-path.ts'
import { MetricsGatherer } from '../../src/service/metrics/metrics-gatherer.ts'
import { readerOf, type LedgerReader } from '../../src/store/ledger/ledger-reader.ts'
import { questionsOfFile } from '../../src/store/node/node-questions.ts'
import { openNodeReader } from '../../src/store/node/open-node.ts'
import { realSystem } from '../../src/system/real.ts'
import { dashboardFolder, dashboards, dashboardText } from '../../tools/grafana.ts'
import { promtoolComplaints } from '../import/promtool.ts'
import { sandbox, type Running, type Sandbox } from '../program.ts'
import { repository } from '../workloads/compile.ts'
import { makeAlerts, makeNodes } from './made-site.ts'
import { Prometheus, whyNoPrometheus } from './prometheus.ts'

const missing = whyNoPrometheus()
const grafana = join(repository, 'docs/grafana')

interface Variable {
  readonly name: string
  readonly type: string
  readonly definition?: string
}

interface PanelJson {
  readonly id: number
  readonly title: string
  readonly type: string
  readonly gridPos: {
    readonly x: number
    readonly y: number
    readonly w: number
    readonly h: number
  }
  readonly targets?: readonly { readonly expr: string; readonly range: boolean }[]
}

interface DashboardJson {
  readonly uid: string
  readonly templating: { readonly list: readonly Variable[] }
  readonly panels: readonly PanelJson[]
}

const stored = readdirSync(dashboardFolder).map(
  (name) => JSON.parse(readFileSync(join(dashboardFolder, name), 'utf8')) as DashboardJson,
)
const panels = stored.flatMap(({ uid, templating, panels: all }) =>
  all.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, range }) => ({ uid, title, expr, range, choices: templating.list })),
  ),
)
const choices = stored.flatMap(({ uid, templating }) =>
  templating.list
    .filter(({ type }) => type === 'query')
    .map(({ name, definition = '' }) => ({ uid, name, definition, choices: templating.list })),
)

describe('the dashboards of docs/grafana', () => {
  it('are as tools/grafana.ts has them: else run it, and npm run format', () => {
    expect(stored.map(({ uid }) => uid).toSorted()).toEqual(
      dashboards.map(({ id }) => id).toSorted(),
    )
    for (const dashboard of dashboards)
      expect(stored.find(({ uid }) => uid === dashboard.id)).toEqual(
        JSON.parse(dashboardText(dashboard)),
      )
  })

  it('lead to each other, with variables that are there', () => {
    const links = stored.flatMap((one) => JSON.stringify(one).match(/\/d\/[^"]+/g) ?? [])
    expect(links.length).toBeGreaterThan(5)
    for (const link of links) {
      const [, uid, query = ''] = /^\/d\/([^?]+)\?(.*)$/.exec(link) ?? []
      const target = stored.find((one) => one.uid === uid)
      const known = target?.templating.list.map(({ name }) => name)
      for (const [, name] of query.matchAll(/var-([a-z_]+)=/g)) expect(known, link).toContain(name)
    }
  })

  it.each(stored)('have no panels on top of each other: $uid', ({ panels: all }) => {
    const taken = new Map<string, string>()
    for (const { id, title, gridPos } of all)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(x, title).toBeLessThan(24)
          expect(taken.get(`${x} ${y}`), title).toBeUndefined()
          taken.set(`${x} ${y}`, `${id} ${title}`)
        }
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  })
})

describe.skipIf(missing)('against a real Prometheus', () => {
  const token = 'a-token-for-metrics'
  let box: Sandbox
  let job: Running
  let server: Server
  let prometheus: Prometheus
  let reader: LedgerReader
  let gatherer: MetricsGatherer
  let text = ''

  /** Real jobs: some that ended, one of them badly, one that runs, and a workflow. */
  async function fillLedger(): Promise<void> {
    writeFileSync(
      box.path('wf.yaml'),
      'name: pipeline\njobs:\n  - {name: one, command: "true"}\n  - {name: two, command: "false"}\n',
    )
    await Promise.all([
      box.jobmeter(['run', '--quiet', '--name', 'solve "it"', '--', 'sh', '-c', 'true']),
      box.jobmeter(['run', '--quiet', '--name', 'broken', '--', 'false']),
      box.jobmeter(['run', 'wf.yaml']),
    ])
    job = box.start([
      'run',
      '--name',
      'train',
      '--cpus',
      '2',
      '--memory',
      '1GB',
      '--gpus',
      '1',
      '--interval',
      '0.1s',
      '--',
      'sleep',
      '60',
    ])
    // It is the newest; each look takes a while.
    for (let tries = 0; (await box.sampleTimes().catch(() => [])).length < 3; tries += 1)
      expect(tries).toBeLessThan(50)
  }

  async function serve(): Promise<number> {
    const system = realSystem({ ownsProcess: false })
    const now = system.clock.wallSeconds()
    makeNodes(box.path('node.db'), now)
    makeAlerts(alertsDatabase(box.db), now)
    reader = readerOf(openLedgerAt(system, box.db))
    const openNode = async () => questionsOfFile(openNodeReader(box.path('node.db')))
    gatherer = new MetricsGatherer({ system, reader, openNode })
    const own = new OwnMetricsBook({ version: '0.0.0', startedAt: now })
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const isAllowed = request.headers.authorization === `Bearer ${token}`
      own.observe('/metrics', request.method ?? '', isAllowed ? 200 : 401, 0.01)
      if (!isAllowed) {
        response.writeHead(401).end()
        return
      }
      const format = metricsFormat(request.headers.accept)
      text = metricsText(await gatherer.gather(), own.taken(), format)
      response.writeHead(200, { 'content-type': metricsContentType[format] }).end(text)
    }
    server = createServer((request, response) => void answer(request, response))
    server.listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    return (server.address() as AddressInfo).port
  }

  /** The example of the documents, but for the address, the place of the token and the haste. */
  function exampleConfig(port: number): string {
    writeFileSync(box.path('jobmeter.token'), token)
    const config = parse(readFileSync(join(grafana, 'prometheus.yml'), 'utf8')) as {
      global: object
      scrape_configs: { authorization: object; static_configs: object[] }[]
    }
    config.global = { scrape_interval: '300ms', scrape_timeout: '300ms' }
    for (const scrape of config.scrape_configs) {
      scrape.authorization = {
        ...scrape.authorization,
        credentials_file: box.path('jobmeter.token'),
      }
      scrape.static_configs = [{ targets: [`127.0.0.1:${port}`] }]
    }
    return stringify(config)
  }

  beforeAll(async () => {
    box = sandbox()
    await fillLedger()
    prometheus = await Prometheus.start(exampleConfig(await serve()))
    await prometheus.until('five scrapes', async () => {
      const [count] = await prometheus.series('count_over_time(jobmeter_node_cores[1m])')
      return Number(count?.value[1] ?? 0) >= 5
    })
  })
  afterAll(async () => {
    await prometheus?.[Symbol.asyncDispose]()
    server?.close()
    gatherer?.close()
    await reader?.close()
    job?.signal('SIGKILL')
    box?.[Symbol.dispose]()
  })

  /** As Grafana puts in what a reader chose: everything, or each value with its signs of patterns quoted. */
  function substituted(query: string, chosen: ReadonlyMap<string, string>): string {
    const times = { __rate_interval: '10s', __range: '1m', __interval: '1s' }
    return query.replace(/\$\{?([a-z_]+)\}?/g, (whole, name: string) =>
      Object.hasOwn(times, name) ? times[name as keyof typeof times] : (chosen.get(name) ?? whole),
    )
  }

  const quoted = (value: string): string =>
    value.replace(/[\\^$*+?.()|[\]{}]/g, String.raw`\\$&`).replaceAll('"', String.raw`\"`)

  async function valuesOf(
    definition: string,
    chosen: ReadonlyMap<string, string>,
  ): Promise<string[]> {
    const [, selector = '', label = ''] = /^label_values\((.*), (\w+)\)$/.exec(definition) ?? []
    return (await prometheus.ask(`label/${label}/values`, {
      'match[]': substituted(selector, chosen),
    })) as string[]
  }

  const everything = (variables: readonly Variable[]): Map<string, string> =>
    new Map(variables.map(({ name }) => [name, '.*']))

  it('is read as OpenMetrics, with nothing left out', async () => {
    expect(await prometheus.series('up{job="jobmeter"} == 1')).toHaveLength(1)
    expect(text).toMatch(/\n# EOF\n$/)
    const [scraped] = await prometheus.series('scrape_samples_scraped')
    const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    // Durations of requests may have come since.
    expect(Number(scraped?.value[1])).toBeGreaterThanOrEqual(samples.length - 5)
    const [named] = await prometheus.series(
      String.raw`jobmeter_jobs_finished_total{name="solve \"it\"",status="success"}`,
    )
    expect(named?.value[1]).toBe('1')
  })

  it.each(choices)('finds what can be chosen: $uid $name', async ({ definition, choices: all }) => {
    expect(await valuesOf(definition, everything(all))).not.toEqual([])
  })

  it.each(panels)('has an answer to $uid: $title: $expr', async ({ expr, range, choices: all }) => {
    const chosen = everything(all)
    // Where nothing is there 0 is shown: here there is something.
    const bare = expr.replaceAll(' or vector(0)', '')
    expect(await prometheus.series(substituted(bare, chosen))).not.toEqual([])
    // The same for each value by name, and not all at once.
    for (const { name, definition, type } of all.filter((one) => one.type === 'query')) {
      expect(type).toBe('query')
      const values = await valuesOf(definition ?? '', chosen)
      chosen.set(name, `(${values.map(quoted).join('|')})`)
    }
    const end = Date.now() / 1e3
    const asked = {
      query: substituted(expr, chosen),
      start: `${end - 2}`,
      end: `${end}`,
      step: '1',
    }
    const data = range
      ? ((await prometheus.ask('query_range', asked)) as { result: unknown[] }).result
      : await prometheus.series(asked.query)
    expect(data).not.toEqual([])
  })

  it('pleases promtool in the older format', async () => {
    const facts = await gatherer.gather()
    const own = new OwnMetricsBook({ version: '0.0.0', startedAt: 1 })
    own.observe('/metrics', 'GET', 200, 0.01)
    own.readError('jobs')
    expect(promtoolComplaints(metricsText(facts, own.taken(), 'text'))).toBe('')
    own.close()
  })
})
