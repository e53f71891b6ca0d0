import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSacctJson, parseSacctStates } from './sacct-states.ts'

describe('how jobs stand, as the accounting says', () => {
  it('is read in columns and in JSON of several versions', () => {
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
      exit_code: { return_code: 0, signal: { signal_id: 15 } },
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

  it('is the same in both forms, also of a job that a signal ended', () => {
    const ends = fc.record({
      code: fc.integer({ min: 0, max: 255 }),
      signal: fc.constantFrom(0, 9, 15),
    })
    fc.assert(
      fc.property(ends, ({ code, signal }) => {
        const inColumns = `JobIDRaw|JobID|State|ExitCode|NodeList\n7|7|FAILED|${code}:${signal}|c2\n`
        const exit_code = { return_code: code, signal: { signal_id: signal } }
        const job = { job_id: 7, state: { current: 'FAILED' }, exit_code, nodes: 'c2' }
        expect(parseSacctJson(JSON.stringify({ jobs: [job] }))).toEqual(parseSacctStates(inColumns))
      }),
    )
  })

  it('is never read from noise', () => {
    fc.assert(
      fc.property(fc.string(), (noise) => {
        for (const job of parseSacctStates(noise)) expect(job.id).toMatch(/^\d+$/)
        parseSacctJson(noise)
      }),
    )
  })
})
