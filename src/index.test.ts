import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as library from './index.ts'
import {
  boundBy,
  deriveSeries,
  jobStatistics,
  measure,
  readLedger,
  recordJson,
  sampleColumns,
  StoreError,
} from './index.ts'

describe('the public surface', () => {
  it('has these names and no others', () => {
    expect(Object.keys(library).toSorted()).toEqual([
      'BenchmarkRunner',
      'ContainerResourceMonitor',
      'JobMonitor',
      'JobTracker',
      'LiveMeter',
      'MonitorError',
      'ResourceMonitorCallback',
      'ResourceProfiler',
      'StoreError',
      'TaskPipeline',
      'TeamTaskQueue',
      'boundBy',
      'deriveSeries',
      'getMonitor',
      'getProfiler',
      'jobStatistics',
      'measure',
      'parseBytes',
      'parseDuration',
      'readLedger',
      'recordJson',
      'sampleColumns',
      'tensorflowCallback',
      'usageKeys',
    ])
  })
})

describe('the library inside a program that has other children', () => {
  let directory: string
  let ledger: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'jobmeter-library-'))
    ledger = join(directory, 'ledger.db')
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  it('measures a command, keeps its record and leaves the other children alone', async () => {
    const report = join(directory, 'report.json')
    const other = once(spawn('sh', ['-c', 'sleep 0.2; exit 7']), 'exit')
    const record = await measure([process.execPath, '-e', burn(600, 64), report], {
      ledger,
      name: 'burn',
      intervalSeconds: 0.1,
      requirements: { cpus: 1 },
    })
    const own = JSON.parse(readFileSync(report, 'utf8')) as { cpu: number; memory: number }

    expect(await other).toEqual([7, null])
    expect(record).toMatchObject({ name: 'burn', tool: 'node', status: 'success', exitCode: 0 })
    expect(record.durationSeconds).toBeGreaterThan(0.6)
    // The report is written a moment before the process ends.
    const cpuSeconds = record.usage.cpuTotalSeconds.value ?? Number.NaN
    expect(cpuSeconds).toBeGreaterThan(own.cpu * 0.98)
    expect(cpuSeconds).toBeLessThan(own.cpu * 1.02 + 0.05)
    const memoryBytes = record.usage.memoryPeakBytes.value ?? Number.NaN
    expect(memoryBytes / own.memory).toBeGreaterThan(0.9)
    expect(memoryBytes / own.memory).toBeLessThan(1.1)

    const { jobs, close } = readLedger(ledger)
    expect(await jobs.findByPrefix(record.taskId)).toEqual([record])
    expect(recordJson(record)).toMatchObject({ task_id: record.taskId, bound_by: boundBy(record) })
    expect(jobStatistics(await jobs.find({}))).toMatchObject({ total_jobs: 1, successful: 1 })
    const { rows } = await jobs.series(record.taskId)
    expect(rows.every((row) => row.length === sampleColumns.length)).toBe(true)
    const series = deriveSeries(rows, record.machine.cores)
    expect(series.length).toBe(record.samples.collected)
    expect(series.some(({ cpuPercent }) => cpuPercent !== null && cpuPercent > 0)).toBe(true)
    await close()
  })

  it('keeps what it answers, whatever halves of characters it was given', async () => {
    const half = 'a\ud800b'
    const record = await measure(['true', half], {
      ledger,
      name: half,
      tags: [half],
      params: { [half]: [half, { at: new Date(0), none: null }] },
    })
    const whole = 'a\ufffdb'
    expect(record).toMatchObject({ name: whole, tags: [whole], command: ['true', whole] })
    const { jobs, close } = readLedger(ledger)
    const [kept] = await jobs.find({ name: whole, tag: whole })
    expect(kept).toMatchObject({ taskId: record.taskId, name: whole, tags: [whole] })
    expect(kept?.params).toEqual({
      [whole]: [whole, { at: '1970-01-01T00:00:00.000Z', none: null }],
    })
    expect(JSON.stringify(recordJson(record))).not.toContain('ud800')
    await close()
  })

  it('measures several commands at once, each with its own figures', async () => {
    const seconds = [100, 300, 200]
    const records = await Promise.all(
      seconds.map((milliseconds, index) => {
        const report = join(directory, String(index))
        return measure([process.execPath, '-e', burn(milliseconds, 1), report], { ledger })
      }),
    )
    const told = seconds.map((_, index) => {
      const text = readFileSync(join(directory, String(index)), 'utf8')
      return (JSON.parse(text) as { cpu: number }).cpu
    })
    const differences = records.map(({ usage }, index) =>
      Math.abs((usage.cpuTotalSeconds.value ?? NaN) - (told[index] ?? NaN)),
    )
    expect(Math.max(...differences)).toBeLessThan(0.06)
    expect(new Set(records.map(({ jobId }) => jobId)).size).toBe(3)
  })

  it('ends a job that is aborted, before it began or later', async () => {
    const patience = new AbortController()
    const running = measure(['sleep', '60'], { ledger, signal: patience.signal, tags: ['a'] })
    const never = await measure(['sleep', '60'], { ledger, signal: AbortSignal.abort() })
    expect(never).toMatchObject({ signal: 'SIGTERM' })
    patience.abort()
    expect(await running).toMatchObject({ status: 'cancelled', signal: 'SIGTERM', tags: ['a'] })
  })

  it('writes to files where it is told to', async () => {
    const stdout = join(directory, 'out')
    await measure(['sh', '-c', 'pwd; echo $WHO'], {
      ledger,
      stdout,
      workingDirectory: '/',
      environment: { PATH: process.env['PATH'], WHO: 'ada' },
    })
    expect(readFileSync(stdout, 'utf8')).toBe('/\nada\n')
  })

  it('reads a ledger as often as a program likes without leaving anything behind', async () => {
    await readLedger(ledger).close()
    const before = process.listenerCount('SIGCHLD')
    for (let time = 0; time < 20; time++) await readLedger(ledger).close()
    expect(process.listenerCount('SIGCHLD')).toBe(before)
  })

  it('answers a command that is not there with an outcome, not an exception', async () => {
    const record = await measure(['./no-such-program'], { ledger })
    expect(record).toMatchObject({ status: 'error', exitCode: 127 })
  })

  it('answers the record of a job whose ledger broke meanwhile, and says what was not kept', async () => {
    await readLedger(ledger).close()
    const problems: string[] = []
    const record = await measure(['sh', '-c', `echo broken > ${ledger}; exit 5`], {
      ledger,
      onProblem: (problem) => problems.push(problem),
    })
    expect(record).toMatchObject({ jobId: null, exitCode: 5 })
    expect(problems).toEqual([expect.stringContaining('the record waits in')])
  })

  it('refuses a ledger that cannot be used before anything is started', async () => {
    writeFileSync(ledger, 'x'.repeat(200))
    const made = join(directory, 'made')
    await expect(measure(['touch', made], { ledger })).rejects.toThrow(StoreError)
    expect(existsSync(made)).toBe(false)
  })
})

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
