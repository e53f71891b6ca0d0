import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleIndex, sampleNames, type SampleRow } from '../../model/sample.ts'
import { GrowingSeries } from './growing-series.ts'
import { deriveSeries, type DerivedPoint } from './rates.ts'

interface Step {
  readonly seconds: number
  /** Of the CPU time that the threads could have used in the step. */
  readonly share: number
  readonly threads: number
  /** How much of it is read only at the next sample. */
  readonly lagSeconds: number
  /** Whether I/O is read as well. */
  readonly isFull: boolean
}

const step: fc.Arbitrary<Step> = fc.record({
  seconds: fc.constantFrom(0.005, 0.1, 0.5, 1, 1, 1, 5),
  share: fc.oneof(fc.constant(1), fc.constant(1), fc.double({ min: 0, max: 1.02, noNaN: true })),
  threads: fc.constantFrom(1, 1, 2, 4),
  lagSeconds: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.04, noNaN: true })),
  isFull: fc.integer({ min: 0, max: 19 }).map((one) => one === 0),
})

/** Counters that lag, as clock ticks and late readings make them. */
function rowsOf(steps: readonly Step[]): SampleRow[] {
  let elapsed = 0
  let cpu = 0
  return steps.map(({ seconds, share, threads, lagSeconds, isFull }) => {
    elapsed += seconds
    cpu += share * seconds * Math.min(threads, 2)
    const row = new Float64Array(sampleNames.length).fill(Number.NaN)
    row[sampleIndex.timestamp] = 1_700_000_000 + elapsed
    row[sampleIndex.elapsed_seconds] = elapsed
    row[sampleIndex.cpu_user_seconds] = Math.max(0, cpu - lagSeconds)
    row[sampleIndex.cpu_system_seconds] = 0
    row[sampleIndex.num_threads] = threads
    row[sampleIndex.memory_bytes] = 1000 * elapsed
    row[sampleIndex.io_pressure_seconds] = elapsed / 7
    if (isFull) row[sampleIndex.read_bytes] = Math.round(1000 * elapsed)
    return row
  })
}

const busy = (share: number): Step => ({
  seconds: 1,
  share,
  threads: 1,
  lagSeconds: 0,
  isFull: true,
})

/** What a listener has that keeps to the rule of `firstRow`. */
function told(rows: readonly SampleRow[], cuts: readonly number[], known = 0): DerivedPoint[] {
  const series = new GrowingSeries(4)
  const points: DerivedPoint[] = deriveSeries(rows.slice(0, known), 4)
  series.beginAfter(rows.slice(Math.max(0, known - 128), known), known)
  let from = known
  for (const length of [...cuts, rows.length]) {
    const some = rows.slice(from, from + length)
    from += some.length
    const growth = series.add(some)
    if (growth.firstRow === null)
      points.splice(0, Infinity, ...deriveSeries(rows.slice(0, from), 4))
    else points.splice(growth.firstRow, Infinity, ...growth.points)
  }
  expect(series.length).toBe(rows.length)
  return points
}

describe('a series that grows', () => {
  it('has the same rates in the end as one that is read as a whole', () => {
    const steps = fc.array(step, { maxLength: 60 })
    fc.assert(
      fc.property(steps, fc.array(fc.nat(5), { maxLength: 40 }), (given, cuts) => {
        const rows = rowsOf(given)
        expect(told(rows, cuts)).toEqual(deriveSeries(rows, 4))
      }),
      { numRuns: 300 },
    )
  })

  it('has them also when it is long, or begun in the midst', () => {
    const steps = fc.array(step, { minLength: 300, maxLength: 700, size: 'max' })
    const cuts = fc.array(fc.nat(3), { minLength: 700, maxLength: 700 })
    fc.assert(
      fc.property(steps, cuts, fc.nat(300), (given, lengths, known) => {
        const rows = rowsOf(given)
        expect(told(rows, lengths, known)).toEqual(deriveSeries(rows, 4))
      }),
      { numRuns: 8 },
    )
  })

  it('asks for all to be derived anew where a counter was last read before what is known', () => {
    const rows = rowsOf(
      Array.from({ length: 200 }, (_, at) => ({ ...busy(0.5), isFull: at % 150 === 0 })),
    )
    const series = new GrowingSeries(4)
    series.beginAfter(rows.slice(1, 129), 129)
    expect(series.add(rows.slice(129, 150)).firstRow).toBe(129)
    expect(series.add(rows.slice(150, 151)).firstRow).toBeNull()
    expect(series.add(rows.slice(151)).firstRow).toBe(151)
  })

  it('tells rows again whose counter had lagged', () => {
    const series = new GrowingSeries(4)
    const rows = rowsOf([busy(1), busy(0.98), busy(1.02)])
    expect(series.add(rows.slice(0, 2)).firstRow).toBe(0)
    const { firstRow, points } = series.add(rows.slice(2))
    expect(firstRow).toBe(1)
    expect(points.map(({ cpuPercent }) => cpuPercent)).toEqual([100, 100])
  })

  it('asks for all to be derived anew where a change goes too far back', () => {
    // A thread that was always busy: what is too much in the last step was used before the first.
    const rows = rowsOf([...Array.from({ length: 400 }, () => busy(1)), busy(1.03)])
    const series = new GrowingSeries(4)
    series.add(rows.slice(0, 300))
    series.add(rows.slice(300, 400))
    expect(series.add(rows.slice(400)).firstRow).toBeNull()
    expect(series.length).toBe(401)
  })
})
