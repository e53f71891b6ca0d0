import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someEnd, someSamples, someStart } from '../../../test/contracts/attempts.ts'
import { someRun, someWorkflow, WorkflowInLedger } from '../../../test/contracts/workflows.ts'
import { makeAlerts, makeNodes } from '../../../test/metrics/made-site.ts'
import { noRequirements } from '../../model/job.ts'
import { readerOf, type LedgerReader } from '../../store/ledger/ledger-reader.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import { openSqliteLedger } from '../../store/ledger/open.ts'
import { questionsOfFile } from '../../store/node/node-questions.ts'
import { openNodeReader } from '../../store/node/open-node.ts'
import { fakeSystem } from '../../system/fake.ts'
import { realSystem } from '../../system/real.ts'
import { alertsDatabase } from '../alerts/alerts-path.ts'
import { MetricsGatherer, type MetricSources } from './metrics-gatherer.ts'

let folder = ''
let ledger: Ledger
const system = realSystem({ ownsProcess: false })
const now = (): number => system.clock.wallSeconds()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-metrics-'))
  ledger = openSqliteLedger(join(folder, 'ledger.db'))
})
afterEach(() => {
  ledger.close()
  rmSync(folder, { recursive: true })
})

const opened = (more: Partial<MetricSources> = {}): MetricsGatherer =>
  new MetricsGatherer({ system, reader: readerOf(ledger), ...more })

describe('what /metrics tells of jobs', () => {
  it('counts each attempt once, whenever it ends', async () => {
    const start = (taskId: string) => someStart(taskId, { startedAt: 1000, job: { name: 'solve' } })
    const first = ledger.jobs.begin(start('a'))
    const gatherer = opened()
    const facts = await gatherer.gather()
    expect(facts.jobs).toMatchObject({ ended: [], used: [], running: [{ attempts: 1 }] })
    ledger.jobs.finish(first, someEnd({ durationSeconds: 4 }))
    ledger.jobs.finish(ledger.jobs.begin(start('b')), someEnd({ durationSeconds: 3 }))
    for (let again = 0; again < 3; again += 1) {
      const { jobs } = await gatherer.gather()
      expect(jobs?.running).toEqual([])
      expect(jobs?.ended).toEqual([
        { user: 'ada', name: 'solve', status: 'success', attempts: 2, since: 1000 },
      ])
      expect(jobs?.used).toMatchObject([{ wallSeconds: 7, cpuSeconds: 6.5, since: 1000 }])
    }
    // What is pruned was counted, and a counter does not go back.
    ledger.jobs.prune(2000)
    expect((await gatherer.gather()).jobs?.ended).toMatchObject([{ attempts: 2 }])
    expect((await opened().gather()).jobs?.ended).toEqual([])
    gatherer.close()
  })

  it('reads only what is new', async () => {
    ledger.batch(() => {
      for (let index = 0; index < 5000; index += 1)
        ledger.jobs.finish(ledger.jobs.begin(someStart(`${index}`)), someEnd())
    })
    let read = 0
    const reader = readerOf(ledger)
    const jobs: LedgerReader['jobs'] = {
      ...reader.jobs,
      countedAfter: async (id, limit) => {
        const found = await reader.jobs.countedAfter(id, limit)
        read += found.attempts.length
        return found
      },
    }
    const gatherer = opened({ reader: { ...reader, jobs } })
    expect((await gatherer.gather()).jobs?.ended).toMatchObject([{ attempts: 5000 }])
    expect(read).toBe(5000)
    ledger.jobs.finish(ledger.jobs.begin(someStart('new')), someEnd())
    expect((await gatherer.gather()).jobs?.ended).toMatchObject([{ attempts: 5001 }])
    expect(read).toBe(5001)
    gatherer.close()
  })

  it('tells what those use that run, by their last samples', async () => {
    const requirements = { ...noRequirements, cpus: 4, memoryBytes: 2e9 }
    const begun = ledger.jobs.begin(someStart('a', { job: { name: 'train', requirements } }))
    const figures = {
      elapsed_seconds: [1, 2, 3, 4, 5, 6, 7],
      cpu_user_seconds: [0, 1, 2, 3, 5, 7, 9],
      cpu_system_seconds: [0, 0, 0, 0, 0, 0, 1],
      memory_bytes: [1, 2, 3, 4, 5, 6, 7e8],
    }
    ledger.jobs.writer(begun).add(someSamples(7, figures), 7)
    ledger.jobs.begin(someStart('b', { job: { name: 'train', requirements: noRequirements } }))
    const gatherer = opened()
    // Eight seconds of CPU time in the four seconds of the last five samples.
    expect((await gatherer.gather()).jobs?.running).toEqual([
      {
        user: 'ada',
        name: 'train',
        attempts: 2,
        cpuCores: 2,
        memoryBytes: 7e8,
        requestedCpus: 4,
        requestedMemoryBytes: 2e9,
        requestedGpus: null,
      },
    ])
    gatherer.close()
  })

  it('tells of workflows that ran within a day', async () => {
    const [recent, old, killed] = [1, 2, 3].map(
      () => new WorkflowInLedger(ledger, someWorkflow(['a', 'b'], { name: 'pipe\nline' })),
    )
    const begin = (id: number, startedAt: number): number =>
      ledger.workflows.beginRun(id, { ...someRun, startedAt })
    const run = begin(recent?.id ?? 0, now() - 100)
    const attempt = recent?.begin('a', run, 1)
    if (attempt !== undefined) recent?.end(attempt)
    ledger.workflows.endRun(recent?.id ?? 0, run, now() - 50)
    ledger.workflows.endRun(old?.id ?? 0, begin(old?.id ?? 0, 1000), 2000)
    begin(killed?.id ?? 0, 1000)
    const gatherer = opened()
    const { workflows } = await gatherer.gather()
    expect(workflows).toHaveLength(1)
    expect(workflows).toMatchObject([
      { workflowId: recent?.id, name: 'pipe\u{fffd}line', states: { success: 1, waiting: 1 } },
    ])
    gatherer.close()
  })
})

describe('what /metrics tells of nodes and alerts', () => {
  it('has the last round of each node, and who is a hog there', async () => {
    const database = join(folder, 'node.db')
    makeNodes(database, now())
    makeAlerts(alertsDatabase(join(folder, 'ledger.db')), now())
    const gatherer = opened({ openNode: async () => questionsOfFile(openNodeReader(database)) })
    const { nodes, violations, alerts } = await gatherer.gather()
    expect(nodes).toMatchObject([
      {
        host: 'gpu01',
        cores: 4,
        busyCores: 1.5,
        ioWaitCores: 0.1,
        memoryBytes: 2 ** 29,
        disks: [{ device: 'sda', inBytesPerSecond: 1e6, outBytesPerSecond: 1e5, inBytes: null }],
        interfaces: [{ device: 'eth0', inBytesPerSecond: 2e6 }],
        gpus: [
          { gpu: 'nvidia 0 H200', busyShare: 0.75, watts: 300 },
          { gpu: 'nvidia 1 H200', busyShare: 0, watts: 100 },
        ],
      },
      { host: 'node02', gpus: [] },
    ])
    expect(nodes?.[0]?.roundAgeSeconds).toBeGreaterThanOrEqual(9)
    expect(violations).toEqual([
      { host: 'gpu01', policy: 'ml-cpuhog', severity: 'warning', violations: 1 },
    ])
    expect(alerts).toEqual([{ rule: 'stuck', severity: 'warning', alerts: 2 }])
    gatherer.close()
  })

  it('notices an agent that starts later, and leaves its file after each look', async () => {
    const database = join(folder, 'node.db')
    const seen = { isThere: false, open: 0 }
    const openNode = async () => {
      if (!seen.isThere) return undefined
      seen.open += 1
      const node = questionsOfFile(openNodeReader(database))
      const close = async (): Promise<void> => {
        seen.open -= 1
        await node.close()
      }
      return { ...node, close }
    }
    const gatherer = opened({ openNode })
    const hosts = async () => (await gatherer.gather()).nodes?.map(({ host }) => host)
    expect(await hosts()).toEqual([system.host.name])
    makeNodes(database, now())
    seen.isThere = true
    expect(await hosts()).toEqual(['gpu01', 'node02'])
    expect(seen.open).toBe(0)
    seen.isThere = false
    expect(await hosts()).toEqual([system.host.name])
    gatherer.close()
  })

  it('tells only for how long a node has been silent, and nothing of one that is gone', async () => {
    const database = join(folder, 'node.db')
    makeNodes(database, now() - 3600)
    const openNode = async () => questionsOfFile(openNodeReader(database))
    const gatherer = opened({ openNode })
    const { nodes } = await gatherer.gather()
    expect(nodes).toMatchObject([
      { host: 'gpu01', cores: null, busyCores: null, gpuCount: null, disks: [], gpus: [] },
      { host: 'node02', cores: null },
    ])
    expect(nodes?.[0]?.roundAgeSeconds).toBeGreaterThanOrEqual(3609)
    gatherer.close()
    const later = { ...system, clock: { ...system.clock, wallSeconds: () => now() + 8 * 86_400 } }
    const afterwards = opened({ system: later, openNode })
    expect((await afterwards.gather()).nodes).toEqual([])
    afterwards.close()
  })

  it('looks at the cards of the machine too', async () => {
    const card = '/sys/class/drm/card2/device'
    const fake = fakeSystem({
      files: {
        [`${card}/vendor`]: '0x1002\n',
        [`${card}/product_name`]: 'AMD Instinct MI300X\n',
        [`${card}/uevent`]: 'DRIVER=amdgpu\nPCI_SLOT_NAME=0000:43:00.0\n',
        [`${card}/gpu_busy_percent`]: '99\n',
        [`${card}/mem_info_vram_used`]: '100000000000\n',
        [`${card}/mem_info_vram_total`]: '205890000000\n',
        [`${card}/hwmon/hwmon5/power1_input`]: '741000000\n',
      },
    })
    const gatherer = opened({ system: fake })
    expect((await gatherer.gather()).nodes).toMatchObject([
      {
        gpuCount: 1,
        gpus: [
          {
            gpu: 'amd 0 AMD Instinct MI300X',
            busyShare: 0.99,
            memoryBytes: 1e11,
            memorySizeBytes: 205_890_000_000,
            watts: 741,
          },
        ],
      },
    ])
    gatherer.close()
  })

  it('looks at the machine itself where there is no agent', async () => {
    let busy = 100
    const stat = () => `cpu  ${busy} 0 0 ${1000 - busy} 50 0 0 0 0 0\ncpu0 1 0 0 1\n`
    const meminfo = `MemTotal: 1000 kB\nMemFree: 300 kB\nMemAvailable: 400 kB\nSwapTotal: 100 kB\nSwapFree: 60 kB\n`
    const fake = fakeSystem({
      files: {
        '/proc/stat': stat,
        '/proc/meminfo': meminfo,
        '/proc/loadavg': '0.50 1.00 2.00 1/9 7\n',
      },
    })
    const gatherer = opened({ system: fake })
    busy = 300
    fake.advance(2)
    const { nodes } = await gatherer.gather()
    expect(nodes).toMatchObject([
      {
        roundAgeSeconds: null,
        busyCores: 1,
        cpuSeconds: { busy: 3, ioWait: 0.5, idle: 7 },
        load: 0.5,
        memoryBytes: 600 * 1024,
        memorySizeBytes: 1000 * 1024,
        swapBytes: 40 * 1024,
        // There is no such file here.
        disks: [{ device: 'all', inBytesPerSecond: null, inBytes: null }],
        gpus: [],
      },
    ])
    // Too soon for another rate.
    busy = 400
    expect((await gatherer.gather()).nodes).toEqual(nodes)
    gatherer.close()
  })

  it('tells the rest where a part cannot be read, and answers scrapes at once together', async () => {
    const reader = readerOf(ledger)
    const errors: string[] = []
    const broken = () => Promise.reject(new Error('disk on fire'))
    const gatherer = opened({
      reader: { ...reader, jobs: { ...reader.jobs, countedAfter: broken } },
      onReadError: (part) => errors.push(part),
    })
    const [first, second] = await Promise.all([gatherer.gather(), gatherer.gather()])
    expect(first).toBe(second)
    expect(first.jobs).toBeNull()
    expect(first.workflows).toEqual([])
    expect(errors).toEqual(['jobs'])
    gatherer.close()
  })
})
