import { describe, expect, it } from 'vitest'
import { craftedResults } from '../../../test/golden/render/crafted-workflows.ts'
import { resultsCsv } from './results-csv.ts'
import { resultJson, type Result } from './results-rows.ts'
import { ResultsTable } from './results-text.ts'
import { plainStyle } from '../text/style.ts'

function shown(all: readonly Result[], none: string): string {
  const table = new ResultsTable(plainStyle)
  for (const result of all) table.add(result)
  return [...table.lines(none)].join('')
}

const golden = (name: string): string => `../../../test/golden/render/${name}`

describe('results', () => {
  it('as a table have the columns people know', async () => {
    const text = shown(craftedResults, 'none')
    const [header = ''] = text.split('\n')
    for (const column of ['Peak CPU %', 'Avg CPU %', 'Peak Mem', 'Avg Mem'])
      expect(header).toContain(column)
    await expect(text).toMatchFileSnapshot(golden('results.txt'))
  })

  it('show no memory as 0.00, however little it is', () => {
    const [first] = craftedResults
    if (first === undefined) throw new Error('no result')
    const { usage } = first.record
    const small = { ...usage, memoryPeakBytes: { value: 1_800_000 }, memoryMeanBytes: { value: 9 } }
    const text = shown([{ ...first, record: { ...first.record, usage: small } }], '')
    expect(text).toMatch(/ 1\.72 MB +9 B\n/)
    expect(text.split('\n')[1]).not.toContain('GB')
  })

  it('say that a duration is a lower bound where the runner was killed', () => {
    const [first] = craftedResults
    if (first === undefined) throw new Error('no result')
    const killed = { ...first, record: { ...first.record, status: 'interrupted' as const } }
    expect(resultJson(killed).lower_bounds).toEqual(['exec_time_seconds'])
    expect(shown([killed], '')).toContain(' at least 5m 30s ')
    const unseen = { ...killed, record: { ...killed.record, durationSeconds: null } }
    expect(resultJson(unseen).lower_bounds).toEqual([])
  })

  it('say what they are told to where there are none', () => {
    expect(shown([], 'Nothing here.')).toBe('Nothing here.\n')
  })

  it('as JSON have the figures, and null where nothing was measured', () => {
    const [first, , last] = craftedResults.map(resultJson)
    expect(first).toEqual({
      job_id: 15,
      job_name: 'preprocess_data',
      run_id: 1,
      attempt: 1,
      status: 'success',
      return_code: 0,
      exec_time_seconds: 330.12,
      cpu_seconds: 297.79,
      peak_cpu_percent: 100,
      avg_cpu_percent: 90.206,
      peak_memory_bytes: 2148070851,
      avg_memory_bytes: 1573126144,
      lower_bounds: [],
      warning: null,
    })
    expect(last).toMatchObject({ status: 'running', return_code: null, cpu_seconds: null })
  })

  it('as CSV are the same figures', async () => {
    const text = [...resultsCsv(craftedResults.map(resultJson))].join('')
    await expect(text).toMatchFileSnapshot(golden('results.csv'))
  })
})
