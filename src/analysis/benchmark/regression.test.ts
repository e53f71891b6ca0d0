import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gaussian, generator } from '../../../test/synthetic/series.ts'
import { holmAdjusted } from '../statistics/holm.ts'
import { oneSidedTest } from './one-sided.ts'
import { falseAlarmRate, judge } from './regression.ts'

type Random = () => number
type Draw = (random: Random) => number

/** What run times look like, and worse: long tails without a mean, two modes, a clock of ten steps. */
const distributions: Readonly<Record<string, Draw>> = {
  normal: (random) => 100 + 5 * gaussian(random),
  'log-normal': (random) => Math.exp(gaussian(random)),
  'Pareto without a variance': (random) => (1 - random()) ** (-1 / 1.5),
  'Cauchy without a mean': (random) => Math.abs(Math.tan(Math.PI * (random() - 0.5))),
  'two modes': (random) => (random() < 0.3 ? 150 : 100) + gaussian(random),
  'ten steps': (random) => Math.floor(10 * random()),
  'now and then ten times': (random) => (random() < 0.05 ? 1000 : 100) + gaussian(random),
}
const counts = [3, 4, 5, 8, 12, 40]
const pairs = 1000

const drawn = (random: Random, draw: Draw, count: number): number[] =>
  Array.from({ length: count }, () => draw(random))

/** How many of 1,000 comparisons call a cell worse. */
function alarms(draw: Draw, count: number, cells: number, slowdown = 1, allowed = 0): number {
  const random = generator(count * 1000 + cells)
  let found = 0
  for (let pair = 0; pair < pairs; pair += 1) {
    const sides = Array.from({ length: cells }, () => ({
      a: drawn(random, draw, count),
      b: drawn(random, draw, count).map((value) => value * slowdown),
    }))
    if (judge(sides, allowed).some(({ change }) => change === 'worse')) found += 1
  }
  return found
}

/** The most that 1,000 trials at the rate show in 999 of 1,000 cases. */
const byChance =
  pairs * falseAlarmRate + 3.09 * Math.sqrt(pairs * falseAlarmRate * (1 - falseAlarmRate))

describe('the test for regressions', () => {
  it('holds its rate exactly: of all divisions of the same values, at most 5 % are called worse', () => {
    for (const [countA, countB] of [
      [3, 3],
      [4, 4],
      [5, 5],
      [3, 6],
      [6, 4],
    ] as const) {
      const values = Array.from({ length: countA + countB }, (_, index) => index ** 2)
      let [divisions, worse, better] = [0, 0, 0]
      for (let chosen = 0; chosen < 2 ** values.length; chosen += 1) {
        const a = values.filter((_, index) => (chosen >> index) & 1)
        if (a.length !== countA) continue
        const b = values.filter((_, index) => !((chosen >> index) & 1))
        const [judged] = judge([{ a, b }])
        divisions += 1
        if (judged?.change === 'worse') worse += 1
        if (judged?.change === 'better') better += 1
      }
      expect(worse / divisions).toBeLessThanOrEqual(falseAlarmRate)
      expect(better / divisions).toBeLessThanOrEqual(falseAlarmRate)
      // And it is no test that never says anything.
      expect(worse).toBeGreaterThan(0)
    }
  })

  it.each(Object.entries(distributions))(
    'raises few false alarms on 1,000 pairs without a difference: %s',
    (_name, draw) => {
      const found = counts.map((count) => alarms(draw, count, 1))
      for (const one of found) expect(one).toBeLessThanOrEqual(byChance)
      const total = found.reduce((sum, one) => sum + one, 0)
      expect(total / (pairs * counts.length)).toBeLessThanOrEqual(falseAlarmRate)
    },
  )

  it('holds the rate over a whole matrix, not for each cell', () => {
    for (const [name, draw] of Object.entries(distributions))
      for (const cells of [3, 8])
        expect(alarms(draw, 6, cells), `${name}, ${cells} cells`).toBeLessThanOrEqual(byChance)
  })

  it('holds it where the figures grew by just what is allowed', () => {
    for (const draw of Object.values(distributions))
      expect(alarms(draw, 8, 1, 1.1, 0.1)).toBeLessThanOrEqual(byChance)
  })

  it.each([
    ['5 runs of 5 % noise that take 20 % longer', 5, 1, 1.2, 900],
    ['10 runs of 5 % noise that take 10 % longer', 10, 1, 1.1, 950],
    ['5 runs in each of 4 cells that take 20 % longer', 5, 4, 1.2, 950],
    ['20 runs of 5 % noise that take 5 % longer', 20, 1, 1.05, 850],
  ])('finds real differences: %s', (_name, count, cells, slowdown, least) => {
    const normal = distributions['normal'] as Draw
    expect(alarms(normal, count, cells, slowdown)).toBeGreaterThanOrEqual(least)
  })

  it('finds a tripled time through tails without a mean', () => {
    expect(alarms(distributions['Cauchy without a mean'] as Draw, 40, 1, 3)).toBeGreaterThan(800)
  })

  it('says where so few runs can show nothing', () => {
    const three = { a: [1, 2, 3], b: [4, 5, 6] }
    expect(judge([three])[0]?.change).toBe('worse')
    expect(judge([three, three])[0]?.change).toBe('cannot-judge')
    expect(judge([{ a: [1], b: [2] }])[0]?.change).toBe('cannot-judge')
    expect(judge([{ a: [], b: [2] }])[0]).toEqual({
      change: 'cannot-judge',
      pWorse: null,
      pBetter: null,
    })
    // A cell without runs does not make its neighbour harder to judge.
    expect(judge([three, { a: [], b: [] }])[0]?.change).toBe('worse')
  })
})

const few = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 8 })

describe('oneSidedTest', () => {
  it('is the same from the other side', () => {
    fc.assert(
      fc.property(few, few, (a, b) => {
        const [there, back] = [oneSidedTest(a, b), oneSidedTest(b, a)]
        expect(there?.higher).toBeCloseTo(back?.lower ?? Number.NaN, 12)
        expect(there?.lower).toBeCloseTo(back?.higher ?? Number.NaN, 12)
      }),
    )
  })

  it('does not depend on the unit', () => {
    fc.assert(
      fc.property(few, few, (a, b) => {
        const scaled = (values: number[]): number[] => values.map((value) => 8 * value)
        expect(oneSidedTest(scaled(a), scaled(b))).toEqual(oneSidedTest(a, b))
      }),
    )
  })
})

describe('holmAdjusted', () => {
  it('is what the textbook has', () => {
    expect(holmAdjusted([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02])
    expect(holmAdjusted([])).toEqual([])
  })

  it('never lowers a value, keeps their order, and leaves one alone', () => {
    const p = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.array(p, { minLength: 1, maxLength: 12 }), (values) => {
        const adjusted = holmAdjusted(values)
        values.forEach((value, index) => {
          expect(adjusted[index]).toBeGreaterThanOrEqual(value)
          expect(adjusted[index]).toBeLessThanOrEqual(Math.min(1, value * values.length) || 1)
          const lower = adjusted.filter((_, at) => (values[at] ?? 1) < value)
          expect(Math.max(0, ...lower)).toBeLessThanOrEqual(adjusted[index] ?? 0)
        })
        expect(holmAdjusted(values.slice(0, 1))).toEqual(values.slice(0, 1))
      }),
    )
  })
})
