import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutsWithRests, restStretches } from './rests.ts'

/** `.` rests, `#` works. */
const restsOf = (steps: string, shortest: number) =>
  restStretches(
    Array.from(steps, (step) => step === '.'),
    shortest,
  ).map(({ from, end }) => [from, end])

describe('the rests of a job', () => {
  it('are those that last, between stretches of work that last', () => {
    expect(restsOf('####......####', 4)).toEqual([[4, 10]])
    expect(restsOf('####...####', 4)).toEqual([])
    expect(restsOf('......####....', 4)).toEqual([
      [0, 6],
      [10, 14],
    ])
  })

  it('are none between bursts', () => {
    expect(restsOf('#.....##.....##.....#', 4)).toEqual([])
  })

  it('take a moment of work at the start and the end with them', () => {
    expect(restsOf('##......####......#', 4)).toEqual([
      [0, 8],
      [12, 19],
    ])
  })

  it('leave phases of the shortest length or more, and drop no cut far from them', () => {
    const series = fc.array(fc.boolean(), { minLength: 8, maxLength: 60 })
    fc.assert(
      fc.property(series, fc.integer({ min: 2, max: 5 }), (isAtRest, shortest) => {
        const rests = restStretches(isAtRest, shortest)
        const { length } = isAtRest
        const edges = [0, ...cutsWithRests([], rests, length, shortest), length]
        for (const [index, edge] of edges.slice(1).entries())
          expect(edge - (edges[index] ?? 0)).toBeGreaterThanOrEqual(shortest)
        expect(cutsWithRests([1, 2], [], length, shortest)).toEqual([1, 2])
      }),
    )
  })
})
