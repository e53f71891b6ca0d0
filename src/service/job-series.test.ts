import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { someEnd, someStart } from '../../test/contracts/attempts.ts'
import { addLongJob } from '../../test/synthetic/long-job.ts'
import type { JobChartData } from '../model/job-chart-data.ts'
import type { JobRecord } from '../model/record.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import { readerOf } from '../store/ledger/ledger-reader.ts'
import { openSqliteLedger } from '../store/ledger/open.ts'
import { jobSeries, type SeriesRequest } from './job-series.ts'

describe('jobSeries', () => {
  let directory: string
  let ledger: Ledger
  let record: JobRecord
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'jobmeter-series-'))
    ledger = openSqliteLedger(join(directory, 'ledger.db'))
    record = addLongJob(ledger, 12_000)
  })
  afterAll(() => {
    ledger.close()
    rmSync(directory, { recursive: true })
  })

  const ask = (request: SeriesRequest) => jobSeries(readerOf(ledger), record, request)
  const pointsOf = ({ charts }: JobChartData, from: number, to: number) =>
    charts.map(({ id, times, series }) => [
      id,
      times.flatMap((time, at) =>
        time < from || time > to ? [] : [[time, ...series.map(({ values }) => values[at])]],
      ),
    ])

  it('has every sample where all are asked for', async () => {
    const all = await ask({ points: null })
    expect([all.is_whole, all.sample_count, all.to_seconds]).toEqual([true, 12_000, 1199.9])
    expect(all.charts.map(({ id, times }) => [id, times.length])).toEqual([
      ['cpu', 11_999],
      ['memory', 12_000],
      ['io', 1199],
      ['processes', 12_000],
      ['pressure', 1199],
    ])
  })

  it('has of a part what it has of the whole', async () => {
    const [all, part] = [
      await ask({ points: null }),
      await ask({ points: null, fromSeconds: 400, toSeconds: 500 }),
    ]
    expect(pointsOf(part, 400, 500)).toEqual(pointsOf(all, 400, 500))
  })

  it('thins to the points asked for and keeps the same ones when the range moves', async () => {
    const one = await ask({ points: 200, fromSeconds: 200, toSeconds: 800 })
    const other = await ask({ points: 200, fromSeconds: 290, toSeconds: 890 })
    for (const { times } of one.charts) expect(times.length).toBeLessThanOrEqual(200)
    expect(one.is_whole).toBe(false)
    expect(one.from_seconds).toBeLessThanOrEqual(200)
    expect(one.to_seconds).toBeGreaterThanOrEqual(800)
    const [low, high] = [other.from_seconds + 1, one.to_seconds - 1]
    expect(pointsOf(one, low, high)).toEqual(pointsOf(other, low, high))
  })

  it('says why there is nothing of a job without samples', async () => {
    const attempt = ledger.jobs.begin(someStart('d'.repeat(32)))
    ledger.jobs.finish(attempt, someEnd())
    const [bare] = ledger.jobs.findByPrefix('d'.repeat(32))
    if (bare === undefined) throw new Error('no record')
    const none = await jobSeries(readerOf(ledger), bare, { points: 100 })
    expect(none.charts).toEqual([])
    expect(none.absent.every(({ why }) => why.includes('no samples'))).toBe(true)
  })
})
