import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleNames } from '../../model/sample.ts'
import { sampleWidth } from '../../../test/synthetic/sample-width.ts'
import { sampleIndex } from '../../model/sample.ts'
import { measured, unmeasured } from '../../model/measured.ts'
import { emptyUsage } from '../../model/usage.ts'
import { someEnd } from '../../../test/contracts/attempts.ts'
import { makeSeriesFile } from './series-file.ts'
import { seriesPaths } from './series-path.ts'
import { findSeries, withSeries } from './series-search.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-series-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const run = { ledger: '/home/ada/ledger.db', host: 'node/../01', workflowId: 3, runId: 2 }
const job = {
  jobId: 7,
  jobName: 'train',
  taskId: 'a'.repeat(32),
  cores: 8,
  requestedCpus: 4,
  requestedMemoryBytes: null,
  requestedRuntimeSeconds: null,
}

function samples(points: readonly (readonly [elapsed: number, cpu: number])[]): Float64Array {
  const rows = new Float64Array(points.length * sampleWidth).fill(Number.NaN)
  points.forEach(([elapsed, cpu], index) => {
    const row = rows.subarray(index * sampleWidth, (index + 1) * sampleWidth)
    row[sampleIndex.timestamp] = 1000 + elapsed
    row[sampleIndex.elapsed_seconds] = elapsed
    row[sampleIndex.cpu_user_seconds] = cpu
    row[sampleIndex.cpu_system_seconds] = 0
    row[sampleIndex.memory_bytes] = 4096
    row[sampleIndex.num_processes] = 2
  })
  return rows
}

describe('series file', () => {
  it('is named after host, workflow and run, and stays in its directory', () => {
    expect(makeSeriesFile(directory, run).path).toBe(
      join(directory, 'resource_utilization/resource_metrics_node_.._01_3_2.db'),
    )
  })

  it('answers the query that people know, while it is being written', () => {
    const file = makeSeriesFile(directory, run)
    const { path } = file
    file.addJob(job)
    const writer = file.writer(7, 1)
    writer.add(
      samples([
        [0, 0],
        [1, 2],
        [3, 3],
      ]),
      3,
    )
    writer.add(samples([[4, 4]]), 1)
    const reader = new DatabaseSync(path, { readOnly: true })
    const rows = reader
      .prepare(
        'SELECT job_id, timestamp, cpu_percent, memory_bytes, num_processes FROM job_resource_samples WHERE job_id = 7 ORDER BY timestamp',
      )
      .all()
    expect(rows.map((row) => row['cpu_percent'])).toEqual([null, 200, 50, 100])
    expect(rows[0]).toMatchObject({ timestamp: 1000, memory_bytes: 4096, num_processes: 2 })
    expect(reader.prepare('SELECT * FROM job_metadata').get()).toMatchObject({
      job_id: 7,
      job_name: 'train',
      requested_cpus: 4,
      requested_memory_bytes: null,
    })
    reader.close()
    file.close()
    expect(statSync(path).mode & 0o077).toBe(0)
  })

  it('shows no more than the threads of a job can use, and less by no more than a counter lagged', () => {
    const file = makeSeriesFile(directory, run)
    const late = [0, 0.015, 0, 0.01, 0.02, 0, 0].map((lag, index) => [
      index + 1,
      Math.round(100 * (index + 1 - lag)) / 100,
    ])
    const rows = samples(late as [number, number][])
    late.forEach((_, index) => (rows[index * sampleWidth + sampleIndex.num_threads] = 1))
    file.addAttempt({ taskId: job.taskId, jobId: 7, attempt: 1, startedAt: 1000 })
    file.writer(7, 1).add(rows, late.length)
    file.endAttempt(job.taskId, someEnd())
    file.close()
    const reader = new DatabaseSync(file.path, { readOnly: true })
    const percents = reader
      .prepare('SELECT cpu_percent FROM job_resource_samples ORDER BY timestamp')
      .all()
      .map((row) => Number(row['cpu_percent'] ?? 0))
    reader.close()
    expect(Math.max(...percents)).toBeLessThanOrEqual(100 + 1e-6)
    const shown = percents.reduce((sum, percent) => sum + percent, 0)
    expect(shown).toBeLessThanOrEqual(600 + 1e-6)
    expect(shown).toBeGreaterThanOrEqual(600 - 100 * 0.02 - 1e-6)
  })

  it('tells attempts of one job apart', () => {
    const file = makeSeriesFile(directory, run)
    file.writer(7, 1).add(
      samples([
        [0, 0],
        [1, 1],
      ]),
      2,
    )
    file.writer(7, 2).add(
      samples([
        [0, 0],
        [1, 0.5],
      ]),
      2,
    )
    file.close()
    const reader = new DatabaseSync(file.path, { readOnly: true })
    const percents = reader
      .prepare('SELECT cpu_percent FROM job_resource_samples WHERE attempt = 2 ORDER BY timestamp')
      .all()
    expect(percents.map((row) => row['cpu_percent'])).toEqual([null, 50])
    reader.close()
  })

  it("has each attempt's own figures, by their names, as its record has them", () => {
    const file = makeSeriesFile(directory, run)
    const usage = {
      ...emptyUsage('no cgroup'),
      memoryPeakBytes: measured(880_468_295, 'at least: what looks saw'),
      cpuPercentMean: measured(84.1, 'cgroup'),
      ioDelaySeconds: unmeasured('the kernel does not tell'),
    }
    file.addAttempt({ taskId: job.taskId, jobId: 7, attempt: 1, startedAt: 1000 })
    file.addAttempt({ taskId: 'b'.repeat(32), jobId: 7, attempt: 2, startedAt: 1010 })
    file.endAttempt(job.taskId, someEnd({ usage, durationSeconds: 4.25 }))
    file.close()
    const reader = new DatabaseSync(file.path, { readOnly: true })
    expect(
      reader
        .prepare('SELECT memory_peak_bytes, cpu_percent_mean, duration_seconds FROM job_attempts')
        .all(),
    ).toEqual([
      { memory_peak_bytes: 880_468_295, cpu_percent_mean: 84.1, duration_seconds: 4.25 },
      { memory_peak_bytes: null, cpu_percent_mean: null, duration_seconds: null },
    ])
    reader.close()
    const attempts = withSeries(file.path, (series) => series.attempts())
    expect(attempts).toMatchObject([
      { taskId: job.taskId, jobId: 7, attempt: 1, startedAt: 1000, durationSeconds: 4.25, usage },
      { attempt: 2, status: 'running', usage: null },
    ])
  })

  it('says whose it is', () => {
    const file = makeSeriesFile(directory, run)
    file.close()
    expect(withSeries(file.path, (series) => series.ledger())).toBe('/home/ada/ledger.db')
  })

  it('is never one that is there already', () => {
    const files = Array.from({ length: 11 }, () => makeSeriesFile(directory, run))
    for (const file of files) file.close()
    const paths = files.map(({ path }) => path)
    expect(new Set(paths).size).toBe(11)
    expect(paths[1]).toMatch(/_3_2\.2\.db$/)
    expect(seriesPaths(directory, run)).toEqual(paths)
    expect(seriesPaths(directory, { ...run, runId: 22 })).toEqual([])
    expect(seriesPaths(join(directory, 'gone'), run)).toBeUndefined()
  })

  it('is found by the attempts in it, not by its name', () => {
    const ids = ['a', 'b', 'c'].map((letter) => letter.repeat(32))
    const paths = ids.map((taskId) => {
      const file = makeSeriesFile(directory, run)
      file.addAttempt({ taskId, jobId: 7, attempt: 1, startedAt: 1000 })
      file.close()
      return file.path
    })
    ids.forEach((id, index) =>
      expect(findSeries(directory, run, new Set([id]))).toEqual({
        kind: 'found',
        paths: [paths[index]],
      }),
    )
    expect(findSeries(directory, run, new Set(['d']))).toEqual({ kind: 'no file', trouble: null })
    expect(findSeries('/nowhere', run, new Set(['d']))).toEqual({ kind: 'no folder' })
  })

  it('knows when somebody has removed it', () => {
    const file = makeSeriesFile(directory, run)
    expect(file.isInPlace).toBe(true)
    rmSync(file.path)
    expect(file.isInPlace).toBe(false)
    file.close()
  })
})

describe('a file of version 1', () => {
  it('is found and read, without figures', () => {
    const file = makeSeriesFile(directory, run)
    file.addJob(job)
    const rows = samples([
      [0, 0],
      [1, 2],
    ])
    file.writer(7, 1).add(rows, 2)
    file.close()
    const database = new DatabaseSync(file.path)
    database.exec(
      'DROP TABLE job_attempts; DROP TABLE series_run; DROP TABLE job_device_samples; PRAGMA user_version = 1',
    )
    database.close()
    expect(findSeries(directory, run, new Set([job.taskId])).kind).toBe('found')
    withSeries(file.path, (series) => {
      expect(series.attempts()).toEqual([])
      expect(series.ledger()).toBeNull()
      expect(series.series(7, 1).devices()).toEqual([])
      expect(series.series(7, 1).read()).toEqual({
        columns: sampleNames,
        rows: [rows.slice(0, sampleWidth), rows.slice(sampleWidth)],
        basis: {},
      })
    })
  })
})

describe('a file of version 2', () => {
  it('has no devices, and all else', () => {
    const file = makeSeriesFile(directory, run)
    file.addAttempt({ taskId: job.taskId, jobId: 7, attempt: 1, startedAt: 1000 })
    file.writer(7, 1).add(samples([[0, 0]]), 1)
    file.close()
    const database = new DatabaseSync(file.path)
    database.exec('DROP TABLE job_device_samples; PRAGMA user_version = 2')
    database.close()
    withSeries(file.path, (series) => {
      expect(series.attempts()).toMatchObject([{ taskId: job.taskId, status: 'running' }])
      expect(series.ledger()).toBe('/home/ada/ledger.db')
      expect(series.series(7, 1).read().rows).toHaveLength(1)
      expect(series.series(7, 1).devices()).toEqual([])
    })
    const after = new DatabaseSync(file.path)
    expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 })
    after.close()
  })
})

describe('devices in a series file', () => {
  it('are rows that people may ask for by name', () => {
    const file = makeSeriesFile(directory, run)
    const columns = ['timestamp', 'elapsed_seconds', 'utilization_percent']
    const rows = Float64Array.of(1000, 0, 20, 1001, 1, 80)
    file.writer(7, 1).addDevice({ kind: 'gpu', id: 'GPU-0', columns, rows, count: 2 })
    file.close()
    const reader = new DatabaseSync(file.path, { readOnly: true })
    expect(
      reader
        .prepare(
          `SELECT job_id, attempt, device, timestamp, utilization_percent FROM job_device_samples
           WHERE kind = 'gpu' ORDER BY timestamp`,
        )
        .all(),
    ).toEqual([
      { job_id: 7, attempt: 1, device: 'GPU-0', timestamp: 1000, utilization_percent: 20 },
      { job_id: 7, attempt: 1, device: 'GPU-0', timestamp: 1001, utilization_percent: 80 },
    ])
    reader.close()
  })
})

it('keeps the marks of each attempt, and reads files that have no place for them', () => {
  const mark = {
    timestamp: 1001,
    elapsedSeconds: 1,
    step: 5,
    epoch: 2,
    phase: 'train',
    message: '"x"',
  }
  const file = makeSeriesFile(directory, run)
  file.addJob(job)
  for (const attempt of [1, 2]) {
    const taskId = `${attempt}`.repeat(32)
    file.addAttempt({ taskId, jobId: 7, attempt, startedAt: 1000 })
    file.endAttempt(taskId, { ...someEnd(), ...(attempt === 1 ? { marks: [mark] } : {}) })
  }
  file.close()
  withSeries(file.path, (reader) => {
    expect(reader.marks(7, 1)).toEqual([mark])
    expect(reader.marks(7, 2)).toEqual([])
  })
  const database = new DatabaseSync(file.path)
  database.exec('DROP TABLE job_marks; PRAGMA user_version = 3')
  database.close()
  withSeries(file.path, (reader) => expect(reader.marks(7, 1)).toEqual([]))
})
