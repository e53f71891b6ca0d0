import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { poisson } from '../../../test/golden/render/crafted-records.ts'
import { gaussian, generator } from '../../../test/synthetic/series.ts'
import { cellLabel, type BenchmarkDefinition } from '../../model/benchmark.ts'
import type { JobRecord } from '../../model/record.ts'
import { compareBenchmarks, regressionIn } from './benchmark-comparison.ts'
import { benchmarkResult, type BenchmarkRun } from './benchmark-result.ts'
import { meanRatio } from './mean-ratio.ts'
import { spreadOf } from './spread.ts'
import { cellsOf, filledIn, turnsOf } from './turns.ts'

const axis = fc.record({
  name: fc.stringMatching(/^[a-z]{1,3}$/),
  values: fc.uniqueArray(fc.stringMatching(/^[0-9a-z]{1,2}$/), { minLength: 1, maxLength: 4 }),
})
const matrix = fc.uniqueArray(axis, { maxLength: 3, selector: ({ name }) => name })

describe('turnsOf', () => {
  it('makes each cell its runs, numbered, after all have warmed up', () => {
    fc.assert(
      fc.property(
        matrix,
        fc.integer({ min: 1, max: 6 }),
        fc.nat({ max: 2 }),
        (axes, runs, warmup) => {
          const turns = turnsOf({ matrix: axes, runs, warmup })
          const cells = cellsOf(axes)
          expect(new Set(cells.map(cellLabel)).size).toBe(cells.length)
          expect(turns).toHaveLength(cells.length * (runs + warmup))
          const counted = turns.slice(cells.length * warmup)
          expect(counted.some(({ isWarmUp }) => isWarmUp)).toBe(false)
          for (const cell of cells) {
            const own = counted.filter((turn) => cellLabel(turn.cell) === cellLabel(cell))
            expect(own.map(({ runNumber }) => runNumber)).toEqual(
              Array.from({ length: runs }, (_, index) => index + 1),
            )
          }
        },
      ),
    )
  })

  it('lets a steady drift hit all cells alike', () => {
    const turns = turnsOf({
      matrix: [{ name: 'cpus', values: ['1', '2', '4'] }],
      runs: 6,
      warmup: 0,
    })
    const places = Map.groupBy(turns.keys(), (place) => turns[place]?.cell['cpus'])
    const means = [...places.values()].map((of) => of.reduce((sum, at) => sum + at, 0) / of.length)
    expect(means).toEqual([8.5, 8.5, 8.5])
  })
})

it('filledIn replaces what the matrix has, and no other braces', () => {
  const cell = { cpus: '4', 'a b': '{cpus}' }
  expect(
    filledIn(['run', '-j{cpus}', '{cpus}{cpus}', "awk '{print $1}'", '{a b}', '{toString}'], cell),
  ).toEqual(['run', '-j4', '44', "awk '{print $1}'", '{cpus}', '{toString}'])
})

const figures = (values: readonly number[]) =>
  values.map((value, index) => ({ runNumber: index + 1, value }))

describe('spreadOf', () => {
  it('gives what the textbook gives', () => {
    const spread = spreadOf(figures([2, 4, 4, 4, 5, 5, 7, 9]))
    expect(spread).toMatchObject({ count: 8, mean: 5, min: 2, max: 9, median: 4.5 })
    expect(spread?.standardDeviation).toBeCloseTo(Math.sqrt(32 / 7), 12)
    expect(spread?.interval?.high).toBeCloseTo(5 + (2.365 * Math.sqrt(32 / 7)) / Math.sqrt(8), 9)
    expect(spreadOf([])).toBeUndefined()
    expect(spreadOf(figures([3]))).toMatchObject({ standardDeviation: null, interval: null })
  })

  it('names the runs that stand apart, and counts them all the same', () => {
    const spread = spreadOf(figures([10, 10.1, 30, 9.9, 10]))
    expect(spread?.outliers).toEqual([{ runNumber: 3, value: 30 }])
    expect(spread?.mean).toBeCloseTo(14, 12)
  })

  it('keeps its figures in order, and its digits where values differ only in their last ones', () => {
    const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: 2,
      maxLength: 9,
    })
    fc.assert(
      fc.property(values, fc.constantFrom(0, 1e9), (small, offset) => {
        const spread = spreadOf(figures(small.map((value) => offset + value)))
        const plain = spreadOf(figures(small))
        if (spread === undefined || plain === undefined) throw new Error('no spread')
        expect(spread.min).toBeLessThanOrEqual(spread.mean)
        expect(spread.mean).toBeLessThanOrEqual(spread.max)
        expect(spread.interval?.low).toBeLessThanOrEqual(spread.mean)
        expect(spread.standardDeviation).toBeCloseTo(plain.standardDeviation ?? Number.NaN, 6)
      }),
    )
  })

  it('has the true mean in its interval in 95 of 100 cases', () => {
    const random = generator(3)
    let hits = 0
    for (let draw = 0; draw < 2000; draw += 1) {
      const values = Array.from({ length: 5 }, () => 100 + 5 * gaussian(random))
      const { low = 0, high = 0 } = spreadOf(figures(values))?.interval ?? {}
      if (low <= 100 && 100 <= high) hits += 1
    }
    expect(hits).toBeGreaterThan(1870)
    expect(hits).toBeLessThan(1930)
  })
})

describe('meanRatio', () => {
  it('has the true ratio in its interval in at least 94 of 100 cases, noise alike or not', () => {
    const random = generator(5)
    for (const [n, m, noiseA, noiseB] of [
      [5, 5, 0.05, 0.05],
      [3, 3, 0.02, 0.2],
      [10, 3, 0.1, 0.01],
    ] as const) {
      let hits = 0
      for (let draw = 0; draw < 2000; draw += 1) {
        const above = Array.from({ length: n }, () => 20 * Math.exp(noiseA * gaussian(random)))
        const below = Array.from({ length: m }, () => 5 * Math.exp(noiseB * gaussian(random)))
        const truth = (4 * Math.exp(noiseA ** 2 / 2)) / Math.exp(noiseB ** 2 / 2)
        const { low = 0, high = 0 } = meanRatio(above, below)?.interval ?? {}
        if (low <= truth && truth <= high) hits += 1
      }
      expect(hits).toBeGreaterThan(1880)
    }
  })

  it('turns round with its sides, and knows no ratio to nothing', () => {
    const times = fc.array(fc.double({ min: 0.001, max: 1e6, noNaN: true }), {
      minLength: 2,
      maxLength: 6,
    })
    fc.assert(
      fc.property(times, times, (a, b) => {
        const [there, back] = [meanRatio(a, b), meanRatio(b, a)]
        expect((there?.ratio ?? 0) * (back?.ratio ?? 0)).toBeCloseTo(1, 9)
        expect((there?.interval?.low ?? 0) * (back?.interval?.high ?? 0)).toBeCloseTo(1, 6)
      }),
    )
    expect(meanRatio([0, 0], [1, 2])).toBeUndefined()
    expect(meanRatio([], [1])).toBeUndefined()
    expect(meanRatio([2], [1])).toEqual({ ratio: 2, interval: null })
  })
})

const definition: BenchmarkDefinition = {
  name: 'solve',
  command: ['solve', '{cpus}'],
  runs: 6,
  warmup: 1,
  matrix: [{ name: 'cpus', values: ['1', '2', '4'] }],
  params: {},
}
const recordOf = (durationSeconds: number, status: JobRecord['status'] = 'success'): JobRecord => ({
  ...poisson,
  durationSeconds,
  status,
})

/** Amdahl's law with a tenth of serial work, and two per cent of noise. */
function made(
  seed: number,
  slowdown = 1,
  change: (run: BenchmarkRun) => BenchmarkRun = (run) => run,
) {
  const random = generator(seed)
  const runs = turnsOf(definition).map(({ cell, ...turn }) => {
    const seconds =
      10 * (0.1 + 0.9 / Number(cell['cpus'])) * (1 + 0.02 * gaussian(random)) * slowdown
    return change({ cell, ...turn, record: recordOf(turn.isWarmUp ? 5 * seconds : seconds) })
  })
  return benchmarkResult({ id: seed, definition, startedAt: 0, endedAt: 1, runs })
}

describe('benchmarkResult', () => {
  it('averages what was measured after warming up, and shows speed-up with its uncertainty', () => {
    const result = made(1)
    expect(result).toMatchObject({ planned: 18, counted: 18, failed: [] })
    expect(result.cells[0]?.spreads.duration?.mean).toBeCloseTo(10, 0)
    const [one, , four] = result.speedUps
    expect(one).toMatchObject({ speedUp: { ratio: 1 }, times: 1, efficiency: { ratio: 1 } })
    expect(four?.against).toEqual({ cpus: '1' })
    expect(four?.speedUp?.interval?.low).toBeLessThan(1 / 0.325)
    expect(four?.speedUp?.interval?.high).toBeGreaterThan(1 / 0.325)
    expect(four?.efficiency?.ratio).toBeCloseTo(1 / 0.325 / 4, 1)
  })

  it('tells failed runs and averages none of them in', () => {
    const clean = made(1)
    const result = made(1, 1, (run) =>
      run.runNumber === 2 && run.cell['cpus'] === '2'
        ? { ...run, record: recordOf(1000, 'failed') }
        : run,
    )
    expect(result.failed).toHaveLength(1)
    expect(result.cells[1]?.counted).toHaveLength(5)
    expect(result.cells[1]?.spreads.duration?.max).toBeLessThan(10)
    expect(result.cells[0]).toEqual(clean.cells[0])
  })

  it('reads a benchmark that was cut short, and one whose records were pruned', () => {
    const { benchmark } = made(1)
    const cut = benchmarkResult({ ...benchmark, endedAt: null, runs: benchmark.runs.slice(0, 8) })
    expect(cut.counted).toBe(5)
    expect(cut.cells.map(({ counted }) => counted.length)).toEqual([1, 2, 2])
    const pruned = benchmark.runs.map((run) => ({ ...run, record: null }))
    expect(benchmarkResult({ ...benchmark, runs: pruned })).toMatchObject({
      counted: 0,
      failed: [],
    })
  })
})

describe('compareBenchmarks', () => {
  it('flags what grew, and nothing where nothing did', () => {
    const slower = compareBenchmarks(made(1), made(2, 1.2))
    expect(regressionIn(slower, 'duration')).toBe('regression')
    expect(slower.cells[1]?.metrics[0]?.ratio?.ratio).toBeCloseTo(1.2, 1)
    expect(regressionIn(compareBenchmarks(made(1), made(2)), 'duration')).toBe('none')
    expect(regressionIn(compareBenchmarks(made(1), made(2, 0.8)), 'duration')).toBe('none')
    expect(regressionIn(compareBenchmarks(made(1), made(2, 1.2), 0.5), 'duration')).toBe('none')
  })

  it('leaves the question open where cells are missing or have too few runs', () => {
    const { benchmark } = made(2)
    const fewer = benchmarkResult({
      ...benchmark,
      definition: { ...definition, matrix: [{ name: 'cpus', values: ['1', '2'] }] },
    })
    const comparison = compareBenchmarks(made(1), fewer)
    expect(comparison.unpaired).toEqual(['cpus=4'])
    expect(regressionIn(comparison, 'duration')).toBe('cannot-judge')
    const cut = benchmarkResult({ ...benchmark, runs: benchmark.runs.slice(0, 8) })
    expect(regressionIn(compareBenchmarks(made(1), cut), 'duration')).toBe('cannot-judge')
  })
})
