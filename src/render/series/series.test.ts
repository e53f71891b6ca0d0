import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { poisson } from '../../../test/golden/render/crafted-records.ts'
import { sampleColumns, sampleIndex, sampleWidth } from '../../model/sample.ts'
import { csv } from '../text/csv.ts'
import { seriesCsv } from './series-csv.ts'
import { seriesJson } from './series-json.ts'

const columns = sampleColumns.map((column) => ({ ...column, says: '' }))

function sample(elapsed: number, userSeconds: number): Float64Array {
  const row = new Float64Array(sampleWidth).fill(Number.NaN)
  row[sampleIndex.elapsed_seconds] = elapsed
  row[sampleIndex.cpu_user_seconds] = userSeconds
  row[sampleIndex.cpu_system_seconds] = 0
  return row
}

describe('a series', () => {
  it('is CSV with derived columns first, all stored ones after, and empty cells', () => {
    const [header, first, second, end] = seriesCsv(
      [sample(1, 0), sample(2, 0.5)],
      columns,
      8,
    ).split('\n')
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
    const json = seriesJson(poisson, [sample(1, 0), sample(2, 0.5)], columns)
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
        const fromCsv = seriesCsv(rows, columns, poisson.machine.cores)
          .trimEnd()
          .split('\n')
          .slice(1)
          .map((line) => line.split(',').map((cell) => (cell === '' ? null : Number(cell))))
        const fromJson = seriesJson(poisson, rows, columns).samples.map((one) => Object.values(one))
        expect(fromCsv).toEqual(fromJson)
      }),
    )
  })
})

describe('csv', () => {
  it('quotes as RFC 4180 says', () => {
    expect(csv([['a,b', 'say "hi"', 'two\nlines', 1.5, null]])).toBe(
      '"a,b","say ""hi""","two\nlines",1.5,\n',
    )
  })
})
