import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isOver,
  isWaiting,
  parseSacctJson,
  parseSacctStates,
  parseSqueueStates,
} from './job-state.ts'

const widths = [24, 24, 24, 24, 16, 12, 120]
const line = (...cells: readonly (string | number)[]): string =>
  cells.map((cell, at) => String(cell).padEnd(widths[at] ?? 0)).join('')

describe('how jobs stand', () => {
  it('is read from squeue, as it answers for a user', () => {
    const text = [
      line(12, 12, 'N/A', 'OUT_OF_MEMORY', 253, 0, 'c1'),
      line(14, 13, 2, 'COMPLETED', 18_432, 1, 'c[1-2]'),
      line(13, 13, 3, 'PENDING', 0, 0, ''),
      line(15, 15, 'N/A', 'FAILED', 53, 0, 'c1'),
      'slurm_load_jobs error: Invalid job id specified',
      '',
    ].join('\n')
    expect(parseSqueueStates(text)).toEqual([
      expect.objectContaining({ id: '12', name: '12', state: 'OUT_OF_MEMORY', exitCode: null }),
      expect.objectContaining({
        id: '14',
        name: '13_2',
        exitCode: 72,
        restarts: 1,
        nodes: 'c[1-2]',
      }),
      expect.objectContaining({ id: '13', name: '13_3', exitCode: null, nodes: '' }),
      expect.objectContaining({ id: '15', state: 'FAILED', exitCode: null, signal: 53 }),
    ])
  })

  it('is read from sacct, in columns and in JSON of several versions', () => {
    const text = [
      'JobIDRaw|JobID|State|ExitCode|NodeList',
      '20|19_4|CANCELLED by 1000|0:15|c2',
      '21|21|FAILED|3:0|c2',
      'not a line',
    ].join('\n')
    expect(parseSacctStates(text)).toEqual([
      expect.objectContaining({ id: '20', name: '19_4', state: 'CANCELLED', cancelledBy: '1000' }),
      expect.objectContaining({ id: '21', state: 'FAILED', exitCode: 3, signal: null }),
    ])
    const of2205 = {
      job_id: 20,
      array: { job_id: 19, task_id: 4 },
      state: { current: 'TIMEOUT' },
      exit_code: { return_code: null, signal: { signal_id: 15 } },
      nodes: 'c2',
    }
    const of2311 = {
      job_id: 21,
      array: { job_id: 0, task_id: { set: false, infinite: false, number: 0 } },
      state: { current: ['FAILED'] },
      exit_code: {
        return_code: { set: true, infinite: false, number: 3 },
        signal: { id: { set: false } },
      },
      nodes: 'c2',
    }
    expect(parseSacctJson(JSON.stringify({ jobs: [of2205, of2311] }))).toMatchObject([
      { id: '20', name: '19_4', state: 'TIMEOUT', exitCode: null, signal: 15 },
      { id: '21', name: '21', state: 'FAILED', exitCode: 3, signal: null },
    ])
    for (const other of ['', '{}', '{"jobs":[{}]}', '[]', '{"jobs":7}'])
      expect(parseSacctJson(other)).toBeUndefined()
  })

  it('is over or waits, but never both', () => {
    const words = fc.constantFrom('PENDING', 'RUNNING', 'COMPLETING', 'TIMEOUT', 'REQUEUED', 'X')
    fc.assert(
      fc.property(words, fc.nat(2 ** 31), fc.nat(9999), (state, id, task) => {
        const [job] = parseSqueueStates(line(id, 7, task, state, 0, 0, 'c1'))
        expect(job).toMatchObject({ id: String(id), name: `7_${task}`, state })
        expect(job !== undefined && isOver(job) && isWaiting(job)).toBe(false)
      }),
    )
  })

  it('is never read from noise', () => {
    fc.assert(
      fc.property(fc.string(), (noise) => {
        for (const job of [...parseSqueueStates(noise), ...parseSacctStates(noise)])
          expect(job.id).toMatch(/^\d+$/)
        parseSacctJson(noise)
      }),
    )
  })
})
