import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { openServed, type OpenedServed } from '../../../src/cli/server/served.ts'
import { serverApp } from '../../../src/server/app.ts'
import { ownerOfAll, plainUser, type Viewer } from '../../../src/server/access/viewer.ts'
import { emptyServerConfig } from '../../../src/server/config/server-config.ts'
import type { ApiDocument } from '../../../src/server/document/document.ts'
import { RequestLog } from '../../../src/server/limits/request-log.ts'
import { wallSettings } from '../../../src/server/settings.ts'
import { openAlerts } from '../../../src/store/alerts/open-alerts.ts'
import type { Ledger } from '../../../src/store/ledger/ledger.ts'
import { openSqliteLedger } from '../../../src/store/ledger/open.ts'
import { openNodeStore } from '../../../src/store/node/open-node.ts'
import { realSystem } from '../../../src/system/real.ts'
import { someEnd, someSamples, someStart } from '../../contracts/attempts.ts'
import { someRun, someWorkflow } from '../../contracts/workflows.ts'
import { madeRounds } from '../../node/made-node.ts'

/** What belongs to one of two people, by its names in addresses. */
export interface Belongings {
  readonly user: string
  readonly taskId: string
  readonly workflowTaskId: string
  readonly workflowId: number
  readonly benchmarkId: number
  readonly alertId: string
  /** What the agent of a node saw of theirs. */
  readonly nodeJob: string
}

const port = 7411
const host = `127.0.0.1:${port}`

/** A server in this process over a real ledger with the jobs, workflows, benchmarks and alerts of two people. */
export class TwoPeople implements Disposable {
  readonly ada: Belongings
  readonly eve: Belongings
  readonly faults: unknown[] = []
  readonly #directory = mkdtempSync(join(tmpdir(), 'jobmeter-api-'))
  readonly #served: OpenedServed
  readonly #app: ReturnType<typeof serverApp>
  readonly #settings: ReturnType<typeof wallSettings>
  readonly #closing = new AbortController()

  constructor() {
    const path = join(this.#directory, 'ledger.db')
    const ledger = openSqliteLedger(path)
    this.ada = belongings(ledger, this.#directory, 'ada', 'a', 'slurm:4700@gpu01')
    this.eve = belongings(ledger, this.#directory, 'eve', 'e', 'session:3000-78@node01')
    ledger.close()
    vi.stubEnv('JOBMETER_NODE_DB', makeNode(this.#directory))
    const system = realSystem({ ownsProcess: false })
    const limits = { ...emptyServerConfig.limits, requestsPerSecond: 1e6 }
    const config = { ...emptyServerConfig, limits }
    this.#served = openServed(system, { path: path, team: undefined }, config, {
      nodePath: undefined,
      closing: this.#closing.signal,
      tell: () => {},
    })
    this.#settings = wallSettings({
      system,
      config,
      people: () => config.people,
      peopleChange: () => this.#closing.signal,
      place: { host: '127.0.0.1', port },
      token: 'not told to anybody',
      findToken: () => null,
      isTokenGood: () => false,
      log: new RequestLog(() => {}, system.clock, 'off'),
    })
    this.#app = serverApp(this.#served, {
      ...this.#settings,
      onFault: (error) => void this.faults.push(error instanceof Error ? error.stack : error),
    })
  }

  /** Asks as somebody, or as nobody. */
  async ask(path: string, viewer: Viewer | null, init: RequestInit = {}): Promise<Response> {
    const id =
      viewer === null ? '' : this.#settings.signIn.sessions.begin(viewer.user, () => viewer)
    const { body } = init
    const asked = {
      ...init,
      headers: {
        host,
        origin: `http://${host}`,
        cookie: `jobmeter-${port}=${id}`,
        ...(typeof body === 'string'
          ? {
              'content-type': 'application/json',
              'content-length': String(Buffer.byteLength(body)),
            }
          : {}),
        ...(init.headers as Readonly<Record<string, string>> | undefined),
      },
    }
    return this.#app.request(`http://${host}${path}`, asked, {})
  }

  async document(): Promise<ApiDocument> {
    const answer = await this.ask('/api/openapi.json', null)
    if (!answer.ok) throw new Error(`no document: ${this.faults.join('\n')}`)
    return (await answer.json()) as ApiDocument
  }

  [Symbol.dispose](): void {
    this.#closing.abort()
    this.#served.close()
    vi.unstubAllEnvs()
    rmSync(this.#directory, { recursive: true })
  }
}

export const administrator = ownerOfAll('root')
export const ada = plainUser('ada')
/** Sees what is ada's, besides his own. */
export const manager: Viewer = { ...plainUser('bob'), role: 'manager', users: ['ada'] }
export const stranger = plainUser('mallory')

export const withScopes = (viewer: Viewer, ...scopes: readonly ('read' | 'act' | 'metrics')[]) => ({
  ...viewer,
  scopes: new Set(scopes),
})

function belongings(
  ledger: Ledger,
  directory: string,
  user: string,
  digit: string,
  nodeJob: string,
): Belongings {
  const taskId = digit.repeat(32)
  const start = someStart(taskId, { user, job: { name: `job of ${user}` } })
  const ref = ledger.jobs.begin(start)
  ledger.jobs.writer(ref).add(someSamples(30), 30)
  ledger.jobs.finish(ref, someEnd())
  const { workflowId, workflowTaskId } = workflowOf(ledger, directory, user, digit)
  const benchmarkId = ledger.benchmarks.begin(
    { name: `bench of ${user}`, command: ['true'], runs: 1, warmup: 0, matrix: [], params: {} },
    1_700_000_000,
  )
  ledger.benchmarks.addRun(benchmarkId, { cell: {}, runNumber: 1, isWarmUp: false, taskId })
  ledger.benchmarks.end(benchmarkId, 1_700_000_020)
  const alertId = alertOf(directory, user, taskId)
  return { user, taskId, workflowTaskId, workflowId, benchmarkId, alertId, nodeJob }
}

function workflowOf(ledger: Ledger, directory: string, user: string, digit: string) {
  const outputDirectory = join(directory, `out-${user}`)
  mkdirSync(join(outputDirectory, 'job_stdio'), { recursive: true })
  const workflowId = ledger.workflows.createWorkflow({ ...someWorkflow(['step']), user })
  const runId = ledger.workflows.beginRun(workflowId, { ...someRun, outputDirectory })
  const [job] = ledger.workflows.findWorkflow(workflowId)?.jobs ?? []
  const jobId = job?.jobId ?? 0
  const workflowTaskId = `${digit}${'0'.repeat(31)}`
  const start = someStart(workflowTaskId, { user, job: { name: 'step' } })
  const place = { jobId, workflowId, runId, attempt: 1 }
  ledger.jobs.finish(ledger.workflows.beginAttempt(place, start), someEnd())
  ledger.workflows.endRun(workflowId, runId, 1_700_000_200)
  const log = `job_stdio/job_${workflowId}_${jobId}_${runId}_1.o`
  writeFileSync(join(outputDirectory, log), `written by ${user}\n`)
  return { workflowId, workflowTaskId }
}

function alertOf(directory: string, user: string, taskId: string): string {
  const store = openAlerts(join(directory, 'alerts.db'))
  const alertId = `alert-of-${user}`
  store.fire(
    `key-${user}`,
    alertId,
    {
      rule: 'failed',
      severity: 'warning',
      subject: { host: 'node01', job: `job of ${user}`, taskId, gpu: null },
      text: `something of ${user}`,
      metric: 'exit_code',
      value: 1,
      threshold: 0,
      at: Date.now() / 1000,
    },
    null,
    [],
  )
  store.close()
  return alertId
}

/** A day of two nodes, on which both of them had jobs. */
function makeNode(directory: string): string {
  const path = join(directory, 'node.db')
  const store = openNodeStore(path)
  for (const round of madeRounds().slice(0, 48)) store.addRound(round)
  store.close()
  return path
}
