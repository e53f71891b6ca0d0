import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleIndex, sampleWidth } from '../../model/sample.ts'
import { openSeriesFile, seriesPath } from './series-file.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-series-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const run = { host: 'node/../01', workflowId: 3, runId: 2 }
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
    expect(seriesPath('out', run)).toBe(
      'out/resource_utilization/resource_metrics_node_.._01_3_2.db',
    )
  })

  it('answers the query that people know, while it is being written', () => {
    const path = seriesPath(directory, run)
    const file = openSeriesFile(path)
    file.addJob(job)
    file.addSamples(
      7,
      1,
      samples([
        [0, 0],
        [1, 2],
        [3, 3],
      ]),
      3,
    )
    file.addSamples(7, 1, samples([[4, 4]]), 1)
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
    const file = openSeriesFile(seriesPath(directory, run))
    const late = [0, 0.015, 0, 0.01, 0.02, 0, 0].map((lag, index) => [
      index + 1,
      Math.round(100 * (index + 1 - lag)) / 100,
    ])
    const rows = samples(late as [number, number][])
    late.forEach((_, index) => (rows[index * sampleWidth + sampleIndex.num_threads] = 1))
    file.addSamples(7, 1, rows, late.length)
    file.close()
    const reader = new DatabaseSync(seriesPath(directory, run), { readOnly: true })
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
    const file = openSeriesFile(seriesPath(directory, run))
    file.addSamples(
      7,
      1,
      samples([
        [0, 0],
        [1, 1],
      ]),
      2,
    )
    file.addSamples(
      7,
      2,
      samples([
        [0, 0],
        [1, 0.5],
      ]),
      2,
    )
    file.close()
    const reader = new DatabaseSync(seriesPath(directory, run), { readOnly: true })
    const percents = reader
      .prepare('SELECT cpu_percent FROM job_resource_samples WHERE attempt = 2 ORDER BY timestamp')
      .all()
    expect(percents.map((row) => row['cpu_percent'])).toEqual([null, 50])
    reader.close()
  })

  it('refuses a file of a newer version', () => {
    const path = seriesPath(directory, run)
    openSeriesFile(path).close()
    const database = new DatabaseSync(path)
    database.exec('PRAGMA user_version = 9')
    database.close()
    expect(() => openSeriesFile(path)).toThrow(/written by version 9/)
  })
})
