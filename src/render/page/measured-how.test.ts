import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { measured, type Measured } from '../../model/measured.ts'
import { emptyUsage } from '../../model/usage.ts'
import { recordWithEnd, someEnd, someStart } from '../../../test/contracts/attempts.ts'
import { measuredHow } from './measured-how.ts'
import type { ReportSourceJob } from '../../analysis/workflow/gathered-report.ts'

function jobWith(basis: string, further: Readonly<Record<string, Measured>> = {}): ReportSourceJob {
  const start = someStart('a'.repeat(32))
  const usage = { ...emptyUsage('nobody looked'), memoryPeakBytes: measured(1, basis), ...further }
  const ref = { taskId: start.taskId, jobId: 1, attemptId: 1 }
  const record = recordWithEnd(start, ref, someEnd({ usage }))
  return {
    jobId: 1,
    name: 'job',
    state: 'success',
    requirementsName: null,
    requirements: start.job.requirements,
    dependsOn: [],
    attempts: [{ runId: 1, attempt: 1, record, curves: null, marks: null }],
  }
}

const waysOf = (...bases: readonly string[]) =>
  measuredHow(bases.map((basis) => jobWith(basis)))
    .find(({ ways }) => ways.some(({ isMeasured }) => isMeasured))
    ?.ways.map(({ text, count }) => [text, count])

describe('how figures were measured', () => {
  it('is told of figures that only some attempts have', () => {
    const jobs = [jobWith('a'), jobWith('b', { fanTurns: measured(3, 'a sensor') })]
    expect(measuredHow(jobs).at(-1)).toEqual({
      group: 'Other',
      label: 'fan turns',
      ways: [{ text: 'a sensor', isMeasured: true, count: 1 }],
    })
  })

  it('tells ways that differ in numbers only once, with their range', () => {
    const way = (megabytes: string) => `looks; at most ${megabytes} MB in 5 looks`
    expect(waysOf(way('79.2'), way('76.0'), way('77.4'), way('77.8'))).toEqual([
      ['looks; at most 76.0–79.2 MB in 5 looks', 4],
    ])
  })

  it('keeps apart what is another thing under another number', () => {
    expect(waysOf('cgroup v1', 'cgroup v2', 'cgroup v2', 'wait4', '800 KB', '800 MB')).toEqual([
      ['cgroup v2', 2],
      ['cgroup v1', 1],
      ['wait4', 1],
      ['800 KB', 1],
      ['800 MB', 1],
    ])
  })

  it('gives the lowest and the highest of any numbers', () => {
    const numbers = fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(numbers, (all) => {
        const [low, high] = [Math.min(...all), Math.max(...all)]
        const range = low === high ? String(low) : `${low}–${high}`
        expect(waysOf(...all.map((one) => `peak (${one} MB)`))).toEqual([
          [`peak (${range} MB)`, all.length],
        ])
      }),
      { seed: 7, numRuns: 50 },
    )
  })
})
