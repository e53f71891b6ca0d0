import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleNames } from '../../../model/sample.ts'
import { MalformedRow } from '../../errors.ts'
import { packChunk, unpackChunk, type PackedSeries } from './chunk.ts'
import { namesByPlace } from './known-names.ts'

const series = (
  columns: readonly string[],
  values: readonly (readonly number[])[],
): PackedSeries => ({
  kind: '',
  id: '',
  columns,
  count: values[0]?.length ?? 0,
  values: values.map((column) => Float64Array.from(column)),
})

/** Bit for bit: -0 is not 0. */
const same = (one: PackedSeries, other: PackedSeries | undefined): boolean =>
  other !== undefined &&
  one.kind === other.kind &&
  one.id === other.id &&
  one.count === other.count &&
  one.columns.join() === other.columns.join() &&
  one.values.every((column, place) =>
    column.every((value, row) => Object.is(value, other.values[place]?.[row])),
  )

const figure = fc.oneof(
  { weight: 3, arbitrary: fc.constant(Number.NaN) },
  { weight: 3, arbitrary: fc.constant(0) },
  fc.double(),
  fc.integer(),
  fc.maxSafeNat(),
  fc.integer().map((n) => n / 1e6),
  fc.constantFrom(-0, Infinity, -Infinity, Number.MIN_VALUE, Number.MAX_VALUE, 2 ** 53, -(2 ** 53)),
)

const counter = fc
  .array(fc.oneof(fc.nat(1e6), fc.constant(0)), { minLength: 1, maxLength: 50 })
  .chain((steps) =>
    fc.constantFrom(1, 4096, 1e-6, 1e-9, 2 ** -36, 0.1).map((unit) => {
      let sum = 1_794_825_586
      return steps.map((step) => (sum += step * unit))
    }),
  )

const name = fc.oneof(fc.constantFrom(...sampleNames), fc.stringMatching(/^[a-z_]{1,20}$/))

const anySeries = fc
  .record({
    kind: fc.constantFrom('', 'gpu', 'thread'),
    id: fc.string(),
    count: fc.integer({ min: 0, max: 50 }),
    columns: fc.uniqueArray(name, { maxLength: 12 }),
  })
  .chain(({ kind, id, count, columns }) =>
    fc
      .tuple(
        ...columns.map(() =>
          fc.oneof(
            fc.array(figure, { minLength: count, maxLength: count }),
            counter.map((values) =>
              Array.from({ length: count }, (_, row) => values[row % values.length] ?? 0),
            ),
          ),
        ),
      )
      .map((values): PackedSeries => ({
        kind,
        id,
        count,
        columns,
        values: values.map((column) => Float64Array.from(column)),
      })),
  )

describe('a chunk', () => {
  it('gives every figure back bit for bit, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(anySeries, { maxLength: 4 }), (all) => {
        const back = unpackChunk(packChunk(all))
        expect(back).toHaveLength(all.length)
        expect(all.filter((one, place) => !same(one, back[place]))).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })

  it('gives columns back that were derived from others', () => {
    const start = 1_794_825_577.399646
    const elapsed = Array.from(
      { length: 300 },
      (_, row) => 102_345.123456789 + row * 0.2003 - 102_345.1,
    )
    const total = elapsed.map((_, row) => Math.round(row * 123_456.7) / 1e9)
    const user = total.map((sum) => sum * 0.937)
    const made = series(
      ['timestamp', 'elapsed_seconds', 'cpu_user_seconds', 'cpu_system_seconds'],
      [
        elapsed.map((time) => start + time),
        elapsed,
        user,
        total.map((sum, row) => sum - (user[row] ?? 0)),
      ],
    )
    const packed = packChunk([made])
    expect(same(made, unpackChunk(packed)[0])).toBe(true)
    expect(packed.length).toBeLessThan(300 * 16)
  })

  it('takes next to nothing for what stands still, is zero or was not measured', () => {
    const still = Array.from({ length: 512 }, () => 1)
    const nothing = still.map(() => Number.NaN)
    const made = series(
      sampleNames,
      sampleNames.map((_, place) => (place % 2 ? nothing : still)),
    )
    expect(packChunk([made]).length).toBeLessThan(100)
  })

  it('refuses what it did not make', () => {
    const sound = packChunk([series(['a'], [[1, 2, 3.5, Number.NaN]])])
    expect(() => unpackChunk(Buffer.of(9, 1, 2))).toThrow(MalformedRow)
    expect(() => unpackChunk(Buffer.of())).toThrow(MalformedRow)
    for (let end = 1; end < sound.length; end += 1)
      expect(() => unpackChunk(sound.subarray(0, end))).toThrow(MalformedRow)
  })

  it('knows the names that all samples have, at places that never change', () => {
    expect(namesByPlace.slice(0, sampleNames.length)).toEqual(sampleNames)
  })
})
