import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleWidth } from '../../../test/synthetic/sample-width.ts'
import { sampleIndex } from '../../model/sample.ts'
import { someSamples } from '../../../test/contracts/attempts.ts'
import { makeSeriesFile } from './series-file.ts'
import type { FileQuery, SeriesFileSample } from './each-sample.ts'
import { openSeriesReader } from './series-file-reader.ts'

let directory: string
let path: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-reader-'))
  path = join(directory, 'metrics.db')
})
afterEach(() => {
  chmodSync(directory, 0o700)
  rmSync(directory, { recursive: true })
})

function make(sql: string): void {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}

const documented = (timestampType: string) => `
  CREATE TABLE job_resource_samples (job_id INTEGER, timestamp ${timestampType}, cpu_percent REAL,
    memory_bytes INTEGER, num_processes INTEGER);
  CREATE TABLE job_metadata (job_id INTEGER PRIMARY KEY, job_name TEXT);`

function read(query: FileQuery = { ordered: false }): SeriesFileSample[] {
  const reader = openSeriesReader(path)
  const samples: SeriesFileSample[] = []
  reader.eachSample(query, (sample) => samples.push({ ...sample }))
  reader.close()
  return samples
}

describe('a series file that was planted', () => {
  const endless = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
    SELECT i AS job_id, i AS timestamp, 1 AS cpu_percent, 1 AS memory_bytes, 1 AS task_id FROM n`

  it.each([
    'job_resource_samples',
    'job_metadata',
    'job_attempts',
    'series_run',
    'job_device_samples',
  ])('with a view called %s is refused', (name) => {
    const tables = documented('REAL').replace(`CREATE TABLE ${name} `, 'CREATE TABLE other ')
    make(`${tables} CREATE VIEW ${name} AS ${endless}`)
    expect(() => openSeriesReader(path)).toThrow(`${name} is not a table`)
  })

  it('with a column that is worked out is refused', () => {
    make(
      documented('REAL').replace('cpu_percent REAL', 'cpu_percent REAL AS (abs(job_id)) VIRTUAL'),
    )
    expect(() => openSeriesReader(path)).toThrow('cpu_percent')
  })

  it.each(['-wal', '-journal'])('with a pipe for its %s is refused', (end) => {
    make(documented('REAL'))
    expect(spawnSync('mkfifo', [path + end]).status).toBe(0)
    expect(() => openSeriesReader(path)).toThrow(`${end} is not a file that SQLite made`)
  })
})

describe('a series file that is damaged', () => {
  it('is not called the ledger', () => {
    make(`${documented('REAL')} INSERT INTO job_resource_samples VALUES (1, 1, 1, 1, 1)`)
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0xff, 4096))
    let message = ''
    try {
      read()
    } catch (error) {
      message = String(error)
    }
    expect(message).toContain('the series file is damaged')
    expect(message).not.toMatch(/ledger|to start a new one/)
  })
})

describe('series reader', () => {
  it('leaves nothing beside a file that nobody writes to any more', () => {
    make(`PRAGMA journal_mode = WAL; ${documented('REAL')}
      INSERT INTO job_resource_samples VALUES (1, 10, 50, 100, 1);`)
    expect(readdirSync(directory)).toEqual(['metrics.db'])
    expect(read()).toHaveLength(1)
    expect(readdirSync(directory)).toEqual(['metrics.db'])
  })

  it('sees what is only in the log of a file that is being written', () => {
    const writer = new DatabaseSync(path)
    writer.exec(`PRAGMA journal_mode = WAL; ${documented('REAL')}
      INSERT INTO job_resource_samples VALUES (1, 10, 50, 100, 1);`)
    expect(read()).toHaveLength(1)
    writer.exec('INSERT INTO job_resource_samples VALUES (1, 11, 50, 100, 1)')
    expect(read()).toHaveLength(2)
    writer.close()
  })

  it('reads a file that has only the documented columns', () => {
    make(`${documented('REAL')}
      INSERT INTO job_metadata VALUES (3, 'train'), (1, 'clean');
      INSERT INTO job_resource_samples VALUES (3, 1700000000.5, 120.5, 4096, 2), (1, 1700000000, NULL, NULL, 1);`)
    expect(read()).toEqual([
      {
        jobId: 3,
        attempt: 1,
        timestamp: 1_700_000_000.5,
        cpuPercent: 120.5,
        memoryBytes: 4096,
        processes: 2,
        readBytes: Number.NaN,
        writeBytes: Number.NaN,
        elapsedSeconds: Number.NaN,
        cpuUserSeconds: Number.NaN,
        cpuSystemSeconds: Number.NaN,
        threads: Number.NaN,
      },
      expect.objectContaining({ jobId: 1, cpuPercent: Number.NaN, memoryBytes: Number.NaN }),
    ])
    const reader = openSeriesReader(path)
    expect(reader.jobs().map(({ jobId, jobName }) => [jobId, jobName])).toEqual([
      [1, 'clean'],
      [3, 'train'],
    ])
    expect(reader.jobs()[0]?.requestedCpus).toBeNull()
    reader.close()
  })

  it('reads times that are written as text', () => {
    make(`${documented('TEXT')}
      INSERT INTO job_resource_samples VALUES
        (1, '2023-11-14T22:13:20.250Z', 1, 1, 1), (1, '2023-11-14 22:13:21', 1, 1, 1),
        (1, '2023-11-15T00:13:22.123456789+02:00', 1, 1, 1);`)
    const times = read().map(({ timestamp }) => timestamp)
    expect(times[0]).toBeCloseTo(1_700_000_000.25, 3)
    expect(times[1]).toBe(1_700_000_001)
    expect(times[2]).toBeCloseTo(1_700_000_002.123, 3)
  })

  it('refuses a time that is none', () => {
    make(`${documented('TEXT')} INSERT INTO job_resource_samples VALUES (1, 'noon', 1, 1, 1);`)
    expect(() => read()).toThrow(/timestamp that is not a time/)
  })

  it('puts samples in order, and takes some jobs only, where asked', () => {
    make(`${documented('REAL')}
      INSERT INTO job_resource_samples VALUES (2, 20, 1, 1, 1), (1, 11, 1, 1, 1), (1, 10, 1, 1, 1), (3, 5, 1, 1, 1);`)
    const brief = (query: FileQuery) =>
      read(query).map(({ jobId, timestamp }) => [jobId, timestamp])
    expect(brief({ ordered: true, jobIds: [1, 2] })).toEqual([
      [1, 10],
      [1, 11],
      [2, 20],
    ])
  })

  it('reads what jobmeter writes: attempts, requests and I/O', () => {
    const rows = new Float64Array(sampleWidth).fill(Number.NaN)
    rows[sampleIndex.timestamp] = 1000
    rows[sampleIndex.memory_bytes] = 2 ** 40
    rows[sampleIndex.read_bytes] = 77
    rows[sampleIndex.write_bytes] = 99
    const file = makeSeriesFile(directory, {
      ledger: 'ledger.db',
      host: 'node01',
      workflowId: 1,
      runId: 1,
    })
    path = file.path
    file.addJob({
      jobId: 7,
      jobName: 'a',
      taskId: 'b',
      cores: 8,
      requestedCpus: 4,
      requestedMemoryBytes: 2 ** 33,
      requestedRuntimeSeconds: null,
    })
    file.writer(7, 2).add(rows, 1)
    // While it is still being written.
    expect(read()[0]).toMatchObject({
      jobId: 7,
      attempt: 2,
      memoryBytes: 2 ** 40,
      readBytes: 77,
      writeBytes: 99,
    })
    file.close()
    const reader = openSeriesReader(path)
    expect(reader.jobs()[0]).toMatchObject({ requestedCpus: 4, requestedMemoryBytes: 2 ** 33 })
    reader.close()
  })

  it('says clearly what is wrong with a file', () => {
    expect(() => openSeriesReader(path)).toThrow(/metrics\.db: there is no such file/)
    expect(() => openSeriesReader(directory)).toThrow(/not a file/)
    writeFileSync(path, 'job_id,timestamp\n1,2\n'.repeat(100))
    expect(() => openSeriesReader(path)).toThrow(/not an SQLite database/)
    rmSync(path)
    make('CREATE TABLE other (id)')
    expect(() => openSeriesReader(path)).toThrow(/no table job_resource_samples/)
    make(`${documented('REAL')} PRAGMA user_version = 9`)
    expect(() => openSeriesReader(path)).toThrow(/written by version 9/)
  })
})

describe('the samples of an attempt in a file of another program', () => {
  const seriesOf = (jobId: number, attempt: number) => {
    const reader = openSeriesReader(path)
    const series = reader.series(jobId, attempt)
    const found = { series: series.read(), devices: series.devices() }
    reader.close()
    return found
  }
  const column = ({ columns, rows }: ReturnType<typeof seriesOf>['series'], name: string) =>
    rows.map((row) => row[columns.indexOf(name)])

  it('have counters that say how they were made, and no share of the kernel', () => {
    make(`${documented('REAL')} INSERT INTO job_resource_samples VALUES
      (1, 102, 200, 4096, 2), (1, 100, 50, 1024, 1), (2, 7, 7, 7, 7), (1, 104, 50, 2048, 1)`)
    const { series, devices } = seriesOf(1, 1)
    expect(devices).toEqual([])
    expect(column(series, 'timestamp')).toEqual([100, 102, 104])
    expect(column(series, 'elapsed_seconds')).toEqual([0, 2, 4])
    expect(column(series, 'memory_bytes')).toEqual([1024, 4096, 2048])
    expect(column(series, 'cpu_total_seconds')).toEqual([0, 4, 5])
    expect(column(series, 'cpu_user_seconds')).toEqual([NaN, NaN, NaN])
    expect(column(series, 'cpu_system_seconds')).toEqual([NaN, NaN, NaN])
    expect(series.basis).toEqual({
      elapsed_seconds: 'reconstructed from timestamp',
      cpu_total_seconds: 'reconstructed from cpu_percent',
    })
    expect(seriesOf(1, 2).series.rows).toEqual([])
  })

  it('are a lower bound where a rate is missing', () => {
    make(`${documented('TEXT')} INSERT INTO job_resource_samples VALUES
      (1, '1970-01-01T00:01:40Z', NULL, 1, 1), (1, '1970-01-01T00:01:41Z', 100, 1, 1),
      (1, '1970-01-01T00:01:42Z', NULL, 1, 1), (1, '1970-01-01T00:01:43Z', 50, 1, 1)`)
    const { series } = seriesOf(1, 1)
    expect(column(series, 'cpu_total_seconds')).toEqual([0, 1, NaN, 1.5])
    expect(series.basis['cpu_total_seconds']).toBe('at least: reconstructed from cpu_percent')
  })

  it('keep a time since the start that the file has', () => {
    make(`CREATE TABLE job_resource_samples (job_id INTEGER, timestamp REAL, cpu_percent REAL,
        memory_bytes INTEGER, elapsed_seconds REAL);
      INSERT INTO job_resource_samples VALUES (1, 100, 50, 1, 7), (1, 101, 50, 1, 8)`)
    const { series } = seriesOf(1, 1)
    expect(column(series, 'elapsed_seconds')).toEqual([7, 8])
    expect(Object.keys(series.basis)).toEqual(['cpu_total_seconds'])
    expect(new Set(series.columns).size).toBe(series.columns.length)
  })

  it('are raw, and nothing is made of rates, where the file has counters', () => {
    const file = makeSeriesFile(directory, {
      ledger: 'ledger.db',
      host: 'node01',
      workflowId: 1,
      runId: 1,
    })
    path = file.path
    const rows = someSamples(2, { cpu_user_seconds: [1, 3], cpu_system_seconds: [0.25, 0.5] })
    file.writer(7, 1).add(rows, 2)
    file.close()
    const { series } = seriesOf(7, 1)
    expect(series.columns).not.toContain('cpu_percent')
    expect(series.columns).not.toContain('cpu_total_seconds')
    expect(column(series, 'cpu_system_seconds')).toEqual([0.25, 0.5])
    expect(series.basis).toEqual({})
  })
})
