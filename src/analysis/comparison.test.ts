import { describe, expect, it } from 'vitest'
import { poisson, usageOf } from '../../test/golden/render/crafted-records.ts'
import { gaussian, generator } from '../../test/synthetic/series.ts'
import type { JobRecord } from '../model/record.ts'
import { compareRuns, regressionOf } from './comparison.ts'

const runOf = (durationSeconds: number, name = 'train'): JobRecord => ({
  ...poisson,
  name,
  durationSeconds,
  usage: usageOf({ cpuTotalSeconds: 2 * durationSeconds, memoryPeakBytes: 1e9 }),
})

const around = (seconds: number, count: number, seed: number): JobRecord[] => {
  const random = generator(seed)
  return Array.from({ length: count }, () => runOf(seconds * (1 + 0.03 * gaussian(random))))
}

const duration = (comparison: ReturnType<typeof compareRuns>) => comparison.metrics[0]

describe('compareRuns', () => {
  it('sees a fifth more time through three per cent of noise', () => {
    const comparison = compareRuns(around(100, 8, 1), around(120, 8, 2))
    const found = duration(comparison)
    expect(found?.difference).toBe('worse')
    expect(found?.ratio).toBeCloseTo(1.2, 1)
    expect(found?.interval?.low).toBeGreaterThan(1.1)
    expect(found?.interval?.high).toBeLessThan(1.3)
    expect(regressionOf(comparison, 'duration', 0.1)).toBe('regression')
    expect(regressionOf(comparison, 'duration', 0.3)).toBe('none')
    expect(regressionOf(comparison, 'memory', 0.1)).toBe('none')
  })

  it('takes the other direction as better, which is no regression', () => {
    const comparison = compareRuns(around(120, 8, 1), around(100, 8, 2))
    expect(duration(comparison)?.difference).toBe('better')
    expect(regressionOf(comparison, 'duration', 0.1)).toBe('none')
  })

  it('cannot judge noise with one run against one, or three against three', () => {
    for (const count of [1, 3]) {
      const comparison = compareRuns(around(100, count, 1), around(200, count, 2))
      expect(duration(comparison)).toMatchObject({ difference: 'cannot-judge' })
      expect(regressionOf(comparison, 'duration', 0.1)).toBe('cannot-judge')
    }
  })

  it('calls the same thing different in at most 5 of 100 cases', () => {
    let different = 0
    for (let draw = 0; draw < 200; draw += 1) {
      const found = duration(compareRuns(around(100, 6, 2 * draw), around(100, 6, 2 * draw + 1)))
      if (found?.difference !== 'noise') different += 1
    }
    expect(different).toBeLessThanOrEqual(12)
  })

  it('compares jobs with their namesakes where there are several', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    const before = names.map((name, index) => runOf(10 ** (index / 2), name))
    const after = names.map((name, index) => runOf(1.2 * 10 ** (index / 2), name))
    const comparison = compareRuns(before, [...after, runOf(3, 'new')])
    expect(comparison).toMatchObject({ by: 'jobs', unpaired: ['new'] })
    expect(duration(comparison)?.difference).toBe('worse')
    expect(duration(comparison)?.ratio).toBeCloseTo(1.2, 6)
  })

  it('leaves out what failed and says what was not measured', () => {
    const failed: JobRecord = { ...runOf(1), status: 'failed' }
    const comparison = compareRuns([...around(100, 4, 1), failed], around(100, 4, 2))
    expect(comparison).toMatchObject({ runsA: 4, leftOutA: 1, runsB: 4, leftOutB: 0 })
    expect(comparison.metrics[3]).toMatchObject({
      metric: 'read',
      a: null,
      ratio: null,
      difference: 'not-measured',
    })
    expect(compareRuns([failed], [failed], true).runsA).toBe(1)
  })

  it('gives the same answer every time', () => {
    const [a, b] = [around(100, 5, 1), around(110, 5, 2)]
    expect(compareRuns(a, b)).toEqual(compareRuns(a, b))
  })
})
