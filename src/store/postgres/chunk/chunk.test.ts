import { zstdCompressSync } from 'node:zlib'
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

const rowsIn = (all: readonly PackedSeries[]): number =>
  all.reduce((sum, { count }) => sum + count, 0)

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
    count: fc.integer({ min: 1, max: 50 }),
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
        const back = unpackChunk(packChunk(all), rowsIn(all))
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
    expect(same(made, unpackChunk(packed, 300)[0])).toBe(true)
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
    expect(() => unpackChunk(Buffer.of(9, 1, 2), 4)).toThrow(MalformedRow)
    expect(() => unpackChunk(Buffer.of(), 4)).toThrow(MalformedRow)
    for (let end = 1; end < sound.length; end += 1)
      expect(() => unpackChunk(sound.subarray(0, end), 4)).toThrow(MalformedRow)
    for (const rows of [0, 3, 5, 513]) expect(() => unpackChunk(sound, rows)).toThrow(MalformedRow)
  })

  it('gives no wrong figure where any bit of it has changed', () => {
    const made = series(
      ['elapsed_seconds', 'memory_bytes', 'cpu_user_seconds'],
      [1, 4096, Math.PI].map((unit) => Array.from({ length: 20 }, (_, row) => row * row * unit)),
    )
    const sound = packChunk([made])
    const wrong: number[] = []
    for (let bit = 0; bit < 8 * sound.length; bit += 1) {
      const damaged = Buffer.from(sound)
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      let read: PackedSeries | undefined
      try {
        read = unpackChunk(damaged, 20)[0]
      } catch (error) {
        if (!(error instanceof MalformedRow)) throw error
        continue
      }
      // Bits that mean nothing, such as one of the frame that says whether there is a checksum.
      if (!same(made, read)) wrong.push(bit)
    }
    expect(wrong).toEqual([])
  })

  it('takes no more memory than its rows can need, whatever it claims', () => {
    const count = (value: number): number[] =>
      value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...count(Math.floor(value / 0x80))]
    const packedAs = (bytes: readonly number[] | Buffer): Buffer =>
      Buffer.concat([packChunk([]).subarray(0, 1), zstdCompressSync(Buffer.from(bytes))])
    const names = Array.from({ length: 20 }, (_, place) => place + 1)
    const zeros = names.map(() => 1)
    // One series, no kind and no id, 2^26 rows of 20 columns of zeros: 45 bytes that were 10 GiB.
    const manyRows = [1, 0, 0, ...count(2 ** 26), 20, ...names, ...zeros]
    const manyColumns = [1, 0, 0, 6, ...count(2 ** 26)]
    const manySeries = [...count(2 ** 26), 0, 0, 0, 0]
    const large = Buffer.alloc(255 * 2 ** 20)
    for (const bytes of [manyRows, manyColumns, manySeries, large]) {
      const bomb = packedAs(bytes)
      const before = process.memoryUsage()
      const started = performance.now()
      expect(() => unpackChunk(bomb, 6)).toThrow(MalformedRow)
      expect(performance.now() - started).toBeLessThan(2000)
      const after = process.memoryUsage()
      const growth = after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed
      expect(growth).toBeLessThan(32 * 2 ** 20)
    }
  })

  it('knows the names that all samples have, at places that never change', () => {
    expect(namesByPlace.slice(0, sampleNames.length)).toEqual(sampleNames)
  })
})
