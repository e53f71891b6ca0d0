import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MB, sampledSeries } from '../../../test/synthetic/series.ts'
import type { Mark } from '../../model/marks/mark.ts'
import { markedOnPlot } from './marked-plot.ts'
import { markReport, stretchesOf } from './marked.ts'

const mark = (elapsedSeconds: number, told: Partial<Mark>): Mark => ({
  timestamp: 1000 + elapsedSeconds,
  elapsedSeconds,
  step: null,
  epoch: null,
  phase: null,
  message: null,
  ...told,
})

const marks = [
  mark(0, { phase: 'load' }),
  mark(10, { epoch: 1, phase: 'train', step: 1 }),
  mark(15, { step: 2 }),
  mark(20, { phase: 'validate' }),
  mark(25, { epoch: 2, phase: 'train', step: 3 }),
  mark(40, { message: 'saved' }),
]

describe('markReport', () => {
  it('tells what each epoch and each phase used', () => {
    const rows = sampledSeries({ seconds: 50 }, (seconds) => ({
      cpuCores: seconds < 10 ? 0.5 : 2,
      memoryBytes: (seconds < 25 ? 100 : 300) * MB,
    }))
    const report = markReport(marks, rows, 50)
    expect(report.count).toBe(6)
    expect(report.epochs).toMatchObject([
      { label: '1', times: 1, durationSeconds: 15, firstStep: 1, lastStep: 2 },
      { label: '2', times: 1, durationSeconds: 25, firstStep: 3, lastStep: 3 },
    ])
    expect(report.phases).toMatchObject([
      { label: 'load', durationSeconds: 10 },
      { label: 'train', times: 2, durationSeconds: 35, fromSeconds: 10, toSeconds: 50 },
      { label: 'validate', times: 1, durationSeconds: 5 },
    ])
    expect(report.phases[0]?.cpuCores).toBeCloseTo(0.5, 1)
    expect(report.phases[1]?.cpuCores).toBeCloseTo(2, 1)
    expect(report.phases[0]?.memoryPeakBytes).toBe(100 * MB)
    expect(report.epochs[1]?.memoryPeakBytes).toBe(300 * MB)
  })

  it('says nothing of use where there are no samples', () => {
    expect(markReport(marks, [], 50).epochs[0]).toMatchObject({
      durationSeconds: 15,
      cpuCores: null,
      memoryPeakBytes: null,
    })
  })
})

describe('stretchesOf', () => {
  it('leaves no gap and no overlap from the first mark to the end', () => {
    const any = fc.array(fc.tuple(fc.nat(99), fc.option(fc.constantFrom('a', 'b', 'c'))))
    fc.assert(
      fc.property(any, (told) => {
        const sorted = told.toSorted(([a], [b]) => a - b).map(([at, phase]) => mark(at, { phase }))
        const stretches = stretchesOf(sorted, 'phase', 100)
        stretches.slice(1).forEach((one, index) => {
          expect(one.fromSeconds).toBe(stretches[index]?.toSeconds)
          expect(one.label).not.toBe(stretches[index]?.label)
        })
        expect(stretches.at(-1)?.toSeconds ?? 100).toBe(100)
      }),
    )
  })
})

it('draws phases as bands, and epochs and messages as lines', () => {
  const drawn = markedOnPlot(marks, { startedAt: 1000, endedAt: 1050 })
  expect(drawn.phases.map(({ label, startedAt, endedAt }) => [label, startedAt, endedAt])).toEqual([
    ['load', 1000, 1010],
    ['train', 1010, 1020],
    ['validate', 1020, 1025],
    ['train', 1025, 1050],
  ])
  expect(drawn.marks).toEqual([
    { at: 1010, text: 'epoch 1' },
    { at: 1025, text: 'epoch 2' },
    { at: 1040, text: 'saved' },
  ])
})

it('takes no time worth mentioning for as many marks and samples as a job can have', () => {
  const many = Array.from({ length: 20_000 }, (_, index) =>
    mark(index, { epoch: index, step: index }),
  )
  const rows = sampledSeries({ seconds: 20_000 }, () => ({ cpuCores: 1, memoryBytes: MB }))
  const { epochs } = markReport(many, rows, 20_000)
  expect(epochs).toHaveLength(20_000)
  expect(epochs[12_345]?.cpuCores).toBeCloseTo(1, 3)
}, 60_000)
