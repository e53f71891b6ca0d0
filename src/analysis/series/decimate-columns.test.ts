import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimateColumns, stepSecondsFor, type TimedColumns } from './decimate-columns.ts'

const figure = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 1000 }) },
  { weight: 1, arbitrary: fc.constant(Number.NaN) },
)
const anyColumns: fc.Arbitrary<TimedColumns> = fc
  .tuple(
    fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), figure, figure), { maxLength: 600 }),
    fc.integer({ min: 1, max: 2 }),
  )
  .map(([rows, width]) => {
    let time = 0
    const times = Float64Array.from(rows, ([step]) => (time += step / 8))
    const values = [1, 2].slice(0, width).map((place) => {
      return Float64Array.from(rows, (row) => row[place as 1 | 2])
    })
    return { times, values }
  })
const anyPoints = fc.integer({ min: 8, max: 200 })

const known = (values: Float64Array): number[] => [...values].filter((one) => !Number.isNaN(one))

describe('decimateColumns', () => {
  it('has at most as many moments as there is room for, and each is one that was there', () => {
    fc.assert(
      fc.property(anyColumns, anyPoints, (columns, points) => {
        const { times, values } = decimateColumns(columns, points)
        expect(times.length).toBeLessThanOrEqual(points)
        times.forEach((time, index) => {
          const row = columns.times.indexOf(time)
          values.forEach((column, place) => {
            expect(column[index]).toBe(columns.values[place]?.[row])
          })
        })
        expect([...times]).toEqual([...times].toSorted((a, b) => a - b))
        expect([times[0], times.at(-1)]).toEqual([columns.times[0], columns.times.at(-1)])
      }),
    )
  })

  it('keeps the least, the greatest and a gap of each column in each step of time', () => {
    fc.assert(
      fc.property(anyColumns, anyPoints, (columns, points) => {
        const kept = decimateColumns(columns, points)
        if (kept === columns) return
        const span = (columns.times.at(-1) ?? 0) - (columns.times[0] ?? 0)
        // However often it was doubled for gaps, no more rows are left than of some doubled step.
        const first = stepSecondsFor(span, points, columns.values.length)
        const steps = Array.from({ length: 12 }, (_, power) => first * 2 ** power)
        expect(steps.some((step) => keepsExtremes(columns, kept, step))).toBe(true)
      }),
    )
  })

  it('keeps the peak of all, whatever the room', () => {
    fc.assert(
      fc.property(anyColumns, fc.integer({ min: 8, max: 200 }), (columns, points) => {
        const kept = decimateColumns(columns, points)
        kept.values.forEach((column, place) => {
          const all = known(columns.values[place] ?? new Float64Array())
          expect(Math.max(...known(column))).toBe(Math.max(...all))
          expect(Math.min(...known(column))).toBe(Math.min(...all))
        })
      }),
    )
  })

  it('keeps the same moments of whole steps when the range is moved', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 500 }),
        fc.integer({ min: 0, max: 500 }),
        (one, other) => {
          const whole = Float64Array.from({ length: 5000 }, (_, index) => index)
          const wave = whole.map((at) => (at * 7919) % 1013)
          const part = (from: number) =>
            decimateColumns(
              { times: whole.slice(from, from + 4000), values: [wave.slice(from, from + 4000)] },
              400,
            )
          const step = stepSecondsFor(3999, 400, 1)
          const [low, high] = [Math.max(one, other) + step, Math.min(one, other) + 3999 - step]
          const inner = (kept: TimedColumns) =>
            [...kept.times].filter((at) => at >= low && at < high)
          expect(inner(part(one))).toEqual(inner(part(other)))
        },
      ),
      { numRuns: 30 },
    )
  })
})

function keepsExtremes(columns: TimedColumns, kept: TimedColumns, step: number): boolean {
  const byStep = ({ times, values }: TimedColumns, place: number) =>
    Map.groupBy(values[place] ?? [], (_, index) => Math.floor((times[index] ?? 0) / step))
  return columns.values.every((_, place) => {
    const left = byStep(kept, place)
    return [...byStep(columns, place)].every(([number, all]) => {
      const some = left.get(number) ?? []
      const [whole, rest] = [known(Float64Array.from(all)), known(Float64Array.from(some))]
      return (
        Math.max(...whole) === Math.max(...rest) &&
        Math.min(...whole) === Math.min(...rest) &&
        all.some(Number.isNaN) === some.some(Number.isNaN)
      )
    })
  })
}
