import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as library from './index.ts'
import {
  boundBy,
  deriveSeries,
  JobCgroups,
  jobStatistics,
  launch,
  Meter,
  openSqliteStore,
  realSystem,
  recordJson,
  sampleColumns,
  type Job,
  type JobRecord,
  type LaunchRequest,
  type SampleRow,
  type Store,
  type System,
} from './index.ts'

describe('the public surface', () => {
  it('has these names and no others', () => {
    expect(Object.keys(library).toSorted()).toEqual([
      'JobCgroups',
      'Meter',
      'StoreError',
      'boundBy',
      'deriveSeries',
      'jobStatistics',
      'launch',
      'ledgerPath',
      'openSqliteStore',
      'parseBytes',
      'parseDuration',
      'realSystem',
      'recordJson',
      'sampleColumns',
      'usageKeys',
    ])
  })
})

describe('the library inside a program that has other children', () => {
  it('measures a command, keeps its record and leaves the other children alone', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'jobmeter-library-'))
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
    const store = openSqliteStore(join(directory, 'ledger.db'))
    const report = join(directory, 'report.json')
    const other = once(spawn('sh', ['-c', 'sleep 0.2; exit 7']), 'exit')
    const { record, rows } = await measure(store, [process.execPath, '-e', burn(600, 64), report])
    const own = JSON.parse(readFileSync(report, 'utf8')) as { cpu: number; memory: number }

    expect(await other).toEqual([7, null])
    expect(record.status).toBe('success')
    expect(record.exitCode).toBe(0)
    expect(record.durationSeconds).toBeGreaterThan(0.6)
    // The report is written a moment before the process ends.
    const cpuSeconds = record.usage.cpuTotalSeconds.value ?? Number.NaN
    expect(cpuSeconds).toBeGreaterThan(own.cpu * 0.98)
    expect(cpuSeconds).toBeLessThan(own.cpu * 1.02 + 0.05)
    const memoryBytes = record.usage.memoryPeakBytes.value ?? Number.NaN
    expect(memoryBytes / own.memory).toBeGreaterThan(0.9)
    expect(memoryBytes / own.memory).toBeLessThan(1.1)

    expect(recordJson(record)).toMatchObject({ task_id: record.taskId, bound_by: boundBy(record) })
    expect(jobStatistics(store.find({}))).toMatchObject({ total_jobs: 1, successful: 1 })
    const series = deriveSeries(rows, record.machine.cores)
    expect(series.length).toBe(record.samples.collected)
    expect(series.some(({ cpuPercent }) => cpuPercent !== null && cpuPercent > 0)).toBe(true)
    store.close()
  })

  it('answers a command that is not there with an outcome, not an exception', () => {
    const system = realSystem({ ownsProcess: false })
    const meter = new Meter(system)
    const launched = launch(system, meter, new JobCgroups(system), request(['./no-such-program']))
    meter.close()
    expect(launched).toMatchObject({
      kind: 'not-started',
      result: { outcome: { status: 'error', exitCode: 127 } },
    })
  })
})

/** All it takes to run a command, measure it and have its record. */
async function measure(
  store: Store,
  command: readonly string[],
): Promise<{ record: JobRecord; rows: SampleRow[] }> {
  const system = realSystem({ ownsProcess: false })
  const meter = new Meter(system)
  const wanted = request(command)
  const attempt = store.begin({
    job: describeJob(command),
    taskId: wanted.taskId,
    user: system.host.user,
    machine: {
      host: system.host.name,
      cores: system.host.cores,
      memoryBytes: meter.machineMemoryBytes(),
    },
    owner: ourselves(system, meter),
    startedAt: system.clock.wallSeconds(),
    intervalSeconds: wanted.intervalSeconds,
  })
  const launched = launch(system, meter, new JobCgroups(system), {
    ...wanted,
    onSamples: (rows, count) => store.addSamples(attempt, rows, count),
  })
  const result = launched.kind === 'running' ? await launched.job.done : launched.result
  meter.close()
  store.finish(attempt, { ...result, endedAt: system.clock.wallSeconds() })
  const [record] = store.findByPrefix(wanted.taskId)
  if (record === undefined) throw new Error('the ledger has lost the record')
  const rows = store.samples(wanted.taskId)
  expect(rows.every((row) => row.length === sampleColumns.length)).toBe(true)
  return { record, rows }
}

function request(command: readonly string[]): LaunchRequest {
  return {
    taskId: randomUUID().replaceAll('-', ''),
    command,
    environment: process.env,
    workingDirectory: process.cwd(),
    group: 'own',
    intervalSeconds: 0.1,
    timeoutSeconds: null,
    memoryLimitBytes: null,
    graceSeconds: 1,
    stragglers: 'leave',
    ownCgroup: true,
    onSamples: () => {},
  }
}

function describeJob(command: readonly string[]): Job {
  return {
    name: 'burn',
    tool: 'node',
    script: null,
    params: {},
    tags: [],
    command,
    workingDirectory: process.cwd(),
    requirements: { cpus: 1, memoryBytes: null, gpus: null, runtimeSeconds: null },
  }
}

function ourselves({ host, processes }: System, meter: Meter): JobRecord['owner'] {
  const startTicks = meter.identify(processes.self)?.startTicks ?? 0
  return { host: host.name, bootId: host.bootId, pid: processes.self, startTicks }
}

/**
 * A program that computes, holds memory, and writes down what it used to the file it is given. Its own
 * `maxRSS` would not do: that begins at the size of whoever started it.
 */
const burn = (milliseconds: number, megabytes: number): string => `
  const { readFileSync, writeFileSync } = require('node:fs')
  const kept = Buffer.alloc(${megabytes} * 2 ** 20, 1)
  const end = performance.now() + ${milliseconds}
  while (performance.now() < end) kept[0] += Math.sqrt(Math.random())
  const { user, system } = process.cpuUsage()
  const memory = /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1] * 1024
  writeFileSync(process.argv[1], JSON.stringify({ cpu: (user + system) / 1e6, memory }))`
