import { describe, expect, it } from 'vitest'
import { someEnd, someSamples, someStart } from '../../../test/contracts/attempts.ts'
import { LedgerFolder } from '../../../test/ledger-folder.ts'
import { sampleNames } from '../../model/sample.ts'
import type { SeriesJson } from '../../render/series/series-json.ts'
import { execute as report } from './report.ts'
import { execute as reportsJob } from './reports-job.ts'
import { execute as series } from './series.ts'

const folder = new LedgerFolder()

/** A job of three samples, with a column that this version does not know, and two GPUs. */
function recordJob(): void {
  const { jobs } = folder.ledger
  const ref = jobs.begin(someStart('a'.repeat(32)))
  const known = someSamples(3)
  const rows = Array.from({ length: 3 }, (_, row) => [
    ...known.subarray(row * sampleNames.length, (row + 1) * sampleNames.length),
    100 + row,
  ])
  const writer = jobs.writer(ref, [...sampleNames, 'heat_joules'])
  writer.add(Float64Array.from(rows.flat()), 3)
  const columns = ['timestamp', 'elapsed_seconds', 'utilization_percent']
  for (const id of ['GPU-0', 'GPU-1'])
    writer.addDevice({
      kind: 'gpu',
      id,
      columns,
      rows: Float64Array.of(1000, 1, 40, 1001, 2, 60),
      count: 2,
    })
  jobs.finish(ref, someEnd())
}

describe('jobmeter series', () => {
  it('shows devices and columns that this version does not know', async () => {
    recordJob()
    const { text } = await folder.ask(series, ['last', '--format', 'json'])
    const json = JSON.parse(text) as SeriesJson
    expect(json.samples.map((sample) => sample['heat_joules'])).toEqual([100, 101, 102])
    expect(json.devices.map(({ kind, id }) => [kind, id])).toEqual([
      ['gpu', 'GPU-0'],
      ['gpu', 'GPU-1'],
    ])
    expect(json.devices[1]?.samples).toEqual([
      { timestamp: 1000, elapsed_seconds: 1, utilization_percent: 40 },
      { timestamp: 1001, elapsed_seconds: 2, utilization_percent: 60 },
    ])
    const csv = await folder.ask(series, ['last', '--format', 'csv'])
    const lines = csv.text.trimEnd().split('\n')
    expect(lines).toHaveLength(1 + 3 + 4)
    expect(lines[0]).toMatch(/,heat_joules,device_kind,device_id,utilization_percent$/)
    expect(lines.at(-1)).toMatch(/,gpu,GPU-1,60$/)
  })

  it('has no device where there is none', async () => {
    const ref = folder.ledger.jobs.begin(someStart('b'.repeat(32)))
    folder.ledger.jobs.writer(ref).add(someSamples(2), 2)
    folder.ledger.jobs.finish(ref, someEnd())
    const { text } = await folder.ask(series, ['last', '--format', 'json'])
    expect(JSON.parse(text)).toMatchObject({ devices: [], basis: {} })
    const csv = await folder.ask(series, ['last'])
    expect(csv.text).not.toContain('device_kind')
  })
})

describe('reports', () => {
  it('are made of jobs with devices and unknown columns as of others', async () => {
    recordJob()
    const { code, text } = await folder.ask(reportsJob, ['last', '--format', 'json'])
    expect(code).toBe(0)
    expect(JSON.parse(text)).toBeTypeOf('object')
    const page = `${folder.directory}/page.html`
    expect(await folder.ask(report, ['last', '-o', page])).toMatchObject({ code: 0 })
  })
})
