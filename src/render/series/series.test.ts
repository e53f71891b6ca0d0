import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { poisson } from '../../../test/golden/render/crafted-records.ts'
import { sampleWidth } from '../../../test/synthetic/sample-width.ts'
import { sampleColumns, sampleIndex } from '../../model/sample.ts'
import { csv } from '../text/csv.ts'
import { seriesCsv } from './series-csv.ts'
import { seriesJson } from './series-json.ts'
import type { SampledJob } from './series-table.ts'

const columns = sampleColumns.map((column) => ({ ...column, says: '' }))

function sample(elapsed: number, userSeconds: number): Float64Array {
  const row = new Float64Array(sampleWidth).fill(Number.NaN)
  row[sampleIndex.elapsed_seconds] = elapsed
  row[sampleIndex.cpu_user_seconds] = userSeconds
  row[sampleIndex.cpu_system_seconds] = 0
  return row
}

const sampled = (rows: readonly Float64Array[]): SampledJob => ({
  series: { columns: sampleColumns.map(({ name }) => name), rows, basis: {} },
  columns,
  devices: [],
})

describe('a series', () => {
  it('is CSV with derived columns first, all stored ones after, and empty cells', () => {
    const [header, first, second, end] = [...seriesCsv(sampled([sample(1, 0), sample(2, 0.5)]), 8)]
      .join('')
      .split('\n')
    const names = header?.split(',') ?? []
    expect(names[0]).toBe('cpu_percent')
    expect(names.slice(-sampleWidth)).toEqual(sampleColumns.map(({ name }) => name))
    expect(new Set(names).size).toBe(names.length)
    expect(first?.split(',')[0]).toBe('')
    expect(second?.split(',')[0]).toBe('50')
    expect(second?.split(',')).toHaveLength(names.length)
    expect(end).toBe('')
  })

  it('is JSON with null for what was not measured', () => {
    const json = seriesJson(poisson, sampled([sample(1, 0), sample(2, 0.5)]))
    expect(json.task_id).toBe(poisson.taskId)
    expect(json.samples[0]).toMatchObject({ cpu_percent: null, memory_bytes: null })
    expect(json.samples[1]).toMatchObject({ cpu_percent: 50, cpu_user_seconds: 0.5 })
    expect(Object.keys(json.samples[0] ?? {})).toEqual(json.columns.map(({ name }) => name))
  })

  it('has the same figures in both formats', () => {
    const anyRow = fc
      .array(fc.double(), { minLength: sampleWidth, maxLength: sampleWidth })
      .map((values) => Float64Array.from(values))
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 4 }), (rows) => {
        const fromCsv = [...seriesCsv(sampled(rows), poisson.machine.cores)]
          .join('')
          .trimEnd()
          .split('\n')
          .slice(1)
          .map((line) => line.split(',').map((cell) => (cell === '' ? null : Number(cell))))
        const fromJson = seriesJson(poisson, sampled(rows)).samples.map((one) => Object.values(one))
        expect(fromCsv).toEqual(fromJson)
      }),
    )
  })
})

describe('a series with columns and devices of another version', () => {
  const job: SampledJob = {
    series: {
      columns: [...sampleColumns.map(({ name }) => name), 'heat_joules'],
      rows: [Float64Array.of(...sample(1, 0), 7), Float64Array.of(...sample(2, 1), Number.NaN)],
      basis: { heat_joules: 'reconstructed from the weather' },
    },
    columns: [...columns, { name: 'heat_joules', kind: 'other', says: '' }],
    devices: [
      {
        kind: 'gpu',
        id: '0',
        columns: ['timestamp', 'elapsed_seconds', 'memory_bytes', 'watts'],
        rows: [Float64Array.of(100, 1, 2 ** 30, 250), Float64Array.of(101, 2, Number.NaN, 260)],
      },
      { kind: 'disk', id: '/dev/sda', columns: ['timestamp'], rows: [Float64Array.of(100)] },
    ],
  }

  it('is JSON with both', () => {
    const json = seriesJson(poisson, job)
    expect(json.columns.at(-1)).toMatchObject({ name: 'heat_joules', kind: 'other' })
    expect(json.samples.map((one) => one['heat_joules'])).toEqual([7, null])
    expect(json.basis).toEqual({ heat_joules: 'reconstructed from the weather' })
    expect(json.devices).toEqual([
      {
        kind: 'gpu',
        id: '0',
        samples: [
          { timestamp: 100, elapsed_seconds: 1, memory_bytes: 2 ** 30, watts: 250 },
          { timestamp: 101, elapsed_seconds: 2, memory_bytes: null, watts: 260 },
        ],
      },
      { kind: 'disk', id: '/dev/sda', samples: [{ timestamp: 100 }] },
    ])
  })

  it('is CSV that keeps a line a line, whatever a thread calls itself', () => {
    const thread = { kind: 'thread', id: '7/8 ev\u001b[31m\nx', columns: ['timestamp'] }
    const devices = [{ ...thread, rows: [Float64Array.of(100)] }]
    const text = [...seriesCsv({ ...job, devices }, 8)].join('')
    expect(text.trimEnd().split('\n').at(-1)).toContain(String.raw`thread,7/8 ev\x1b[31m\nx`)
  })

  it('is CSV with a line for each sample of a device', () => {
    const [header = '', ...lines] = [...seriesCsv(job, 8)].join('').trimEnd().split('\n')
    const names = header.split(',')
    expect(names.slice(-4)).toEqual(['heat_joules', 'device_kind', 'device_id', 'watts'])
    const cells = lines.map((line) => line.split(','))
    const column = (name: string) => cells.map((line) => line[names.indexOf(name)])
    expect(column('device_kind')).toEqual(['', '', 'gpu', 'gpu', 'disk'])
    expect(column('device_id')).toEqual(['', '', '0', '0', '/dev/sda'])
    expect(column('heat_joules')).toEqual(['7', '', '', '', ''])
    expect(column('watts')).toEqual(['', '', '250', '260', ''])
    expect(column('memory_bytes')).toEqual(['', '', String(2 ** 30), '', ''])
    expect(new Set(cells.map(({ length }) => length))).toEqual(new Set([names.length]))
  })
})

describe('csv', () => {
  it('quotes as RFC 4180 says', () => {
    expect(csv([['a,b', 'say "hi"', 'two\nlines', 1.5, null]])).toBe(
      '"a,b","say ""hi""","two\nlines",1.5,\n',
    )
  })
})
