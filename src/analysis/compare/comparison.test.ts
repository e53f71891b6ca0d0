import { describe, expect, it } from 'vitest'
import { poisson, usageOf } from '../../../test/golden/render/crafted-records.ts'
import { gaussian, generator } from '../../../test/synthetic/series.ts'
import { atLeast } from '../../model/measured.ts'
import type { JobRecord } from '../../model/record.ts'
import type { ComparedRun } from './compared-run.ts'
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

/** Runs of one workflow of eight jobs: what the machine did meanwhile is common to all jobs of a run. */
function workflowRuns(count: number, slowdown: number, seed: number, side: string): ComparedRun[] {
  const random = generator(seed)
  return Array.from({ length: count }, (_, run) => {
    const common = slowdown * Math.exp(0.1 * gaussian(random))
    return Array.from({ length: 8 }, (_job, job) => ({
      ...runOf(10 * 1.5 ** job * common * Math.exp(0.05 * gaussian(random)), `job${job}`),
      workflowRun: `${side}/${run + 1}`,
    }))
  }).flat()
}

const duration = (comparison: ReturnType<typeof compareRuns>) => comparison.metrics[0]

describe('compareRuns', () => {
  it('says of which side a figure is a lower bound', () => {
    const bounded = runOf(100)
    const least = { ...bounded.usage, memoryPeakBytes: atLeast(1e9, 'largest process') }
    const { metrics } = compareRuns([runOf(100)], [runOf(100), { ...bounded, usage: least }])
    const isLeast = metrics.map(({ metric, isLeastA, isLeastB }) => [metric, isLeastA, isLeastB])
    expect(isLeast.slice(0, 3)).toEqual([
      ['duration', false, false],
      ['cpu', false, false],
      ['memory', false, true],
    ])
  })

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

  it('compares only the runs of the one job that both sides have', () => {
    const least = { ...poisson.usage, cpuTotalSeconds: atLeast(1, 'looks') }
    const before = [...around(100, 4, 1), { ...runOf(5000, 'prepare'), usage: least }]
    const after = [...around(100, 4, 2), runOf(1, 'clean up')]
    const comparison = compareRuns(before, after)
    expect(comparison).toEqual({
      ...compareRuns(around(100, 4, 1), around(100, 4, 2)),
      unpaired: ['prepare', 'clean up'],
    })
    expect(comparison).toMatchObject({ by: 'runs', runsA: 4, runsB: 4 })
  })

  it('cannot tell the difference of two single runs of a workflow from noise, however many jobs they have', () => {
    for (let draw = 0; draw < 50; draw += 1) {
      const comparison = compareRuns(
        workflowRuns(1, 1, 2 * draw, 'a'),
        workflowRuns(1, 1.3, 2 * draw + 1, 'b'),
      )
      expect(comparison).toMatchObject({ by: 'runs', runsA: 1, runsB: 1, jobs: 8 })
      expect(duration(comparison)?.difference).toBe('cannot-judge')
    }
  })

  it('calls runs of the same workflow different in at most 5 of 100 cases', () => {
    let different = 0
    for (let draw = 0; draw < 400; draw += 1) {
      const a = workflowRuns(5, 1, 2 * draw, 'a')
      const found = duration(compareRuns(a, workflowRuns(5, 1, 2 * draw + 1, 'b')))
      if (found?.difference !== 'noise') different += 1
    }
    expect(different).toBeLessThanOrEqual(20)
  })

  it('finds a workflow that takes 30 % longer, over several runs', () => {
    let found = 0
    for (let draw = 0; draw < 100; draw += 1) {
      const a = workflowRuns(6, 1, 2 * draw, 'a')
      const comparison = compareRuns(a, workflowRuns(6, 1.3, 2 * draw + 1, 'b'))
      if (duration(comparison)?.difference === 'worse') found += 1
    }
    expect(found).toBeGreaterThanOrEqual(90)
  })

  it('leaves out runs of a workflow that have only some of the jobs, as a resumed one has', () => {
    const resumed = workflowRuns(1, 1, 9, 'c').slice(6)
    const a = [...workflowRuns(4, 1, 1, 'a'), ...resumed]
    expect(compareRuns(a, workflowRuns(4, 1, 2, 'b'))).toMatchObject({
      runsA: 4,
      partialA: 1,
      runsB: 4,
      partialB: 0,
      jobs: 8,
    })
  })

  it('compares the jobs that all runs have where no run has all of them', () => {
    const [a, b] = [workflowRuns(1, 1, 1, 'a'), workflowRuns(2, 1, 2, 'b')]
    const mixed = b.filter(({ name, workflowRun }) => name !== `job${workflowRun?.slice(-1)}`)
    expect(compareRuns(a, mixed)).toMatchObject({ jobs: 6, runsA: 1, runsB: 2 })
  })

  it('compares no totals of different jobs', () => {
    const a = workflowRuns(2, 1, 1, 'a').filter(({ name, workflowRun }) =>
      workflowRun === 'a/1' ? name < 'job4' : name >= 'job4',
    )
    const comparison = compareRuns(a, workflowRuns(1, 1, 2, 'b'))
    expect(comparison).toMatchObject({ runsA: 0, partialA: 2 })
    expect(duration(comparison)?.difference).toBe('not-measured')
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
