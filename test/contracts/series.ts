import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleWidth } from '../synthetic/sample-width.ts'
import { sampleIndex } from '../../src/model/sample.ts'
import type { Columns, DeviceRows, Series } from '../../src/model/series.ts'
import { sampleNames } from '../../src/model/sample.ts'
import type { SeriesReader, SeriesWriter } from '../../src/store/series/series.ts'
import { anyDevices, anySamples } from './any-series.ts'
import { someSamples } from './attempts.ts'

/** A place where samples are kept, for one test. */
export interface SeriesUnderTest {
  /** A new attempt, whose samples have these columns. */
  begin(columns: Columns): AttemptUnderTest
  dispose(): void
}

export interface AttemptUnderTest {
  readonly writer: SeriesWriter
  /** What is kept so far, as another process reads it. */
  read<T>(use: (reader: SeriesReader) => T): T
}

/** What every place where samples are kept must do. */
export function seriesContract(name: string, open: () => SeriesUnderTest): void {
  describe(`${name} as a place for samples`, () => {
    let place: SeriesUnderTest
    beforeEach(() => {
      place = open()
    })
    afterEach(() => place.dispose())

    const runs = { numRuns: 40 }

    it('has none of an attempt that has just begun', () => {
      const { read } = place.begin(sampleNames)
      expect(read((reader) => [reader.columns(), reader.read(), reader.devices()])).toEqual([
        sampleNames,
        { columns: sampleNames, rows: [], basis: {} },
        [],
      ])
    })

    it('gives back rows of this build as they were, in however many portions', () => {
      const { writer, read } = place.begin(sampleNames)
      const rows = someSamples(5, { swap_bytes: [Number.NaN, 7, Number.NaN, 8, 9] })
      writer.add(rows, 2)
      writer.add(rows.subarray(2 * sampleWidth), 1)
      writer.add(rows, 0)
      writer.add(rows.slice(3 * sampleWidth), 2)
      const found = read((reader) => reader.read())
      expect(found.columns).toEqual(sampleNames)
      expect(found.rows.flatMap((row) => [...row])).toEqual([...rows])
    })

    it('gives back any columns by their names, in order of time', () => {
      fc.assert(
        fc.property(anySamples, ({ columns, rows }) => {
          const { writer, read } = place.begin(columns)
          for (const row of rows) writer.add(row, 1)
          const found = read((reader) => reader.read())
          expect(found.columns.slice(0, sampleWidth)).toEqual(sampleNames)
          expect(read((reader) => reader.columns())).toEqual(found.columns)
          expect(byName(found)).toEqual(sortedRows(columns, rows))
        }),
        runs,
      )
    })

    it('gives a range of time, both ends included', () => {
      const seconds = fc.option(fc.integer({ min: -1, max: 12 }), { nil: undefined })
      fc.assert(
        fc.property(anySamples, seconds, seconds, ({ columns, rows }, from, to) => {
          const { writer, read } = place.begin(columns)
          for (const row of rows) writer.add(row, 1)
          const range = {
            ...(from === undefined ? {} : { fromSeconds: from }),
            ...(to === undefined ? {} : { toSeconds: to }),
          }
          const inRange = sortedRows(columns, rows).filter((row) => {
            const time = row['elapsed_seconds'] ?? Number.NaN
            return time >= (from ?? -Infinity) && time <= (to ?? Infinity)
          })
          expect(byName(read((reader) => reader.read(range)))).toEqual(inRange)
        }),
        runs,
      )
    })

    it('gives the latest rows, of what was written in order of time', () => {
      const seconds = fc.option(fc.integer({ min: -1, max: 12 }), { nil: undefined })
      const newest = fc.integer({ min: 1, max: 6 })
      fc.assert(
        fc.property(anySamples, seconds, newest, ({ columns, rows }, from, most) => {
          const { writer, read } = place.begin(columns)
          const time = columns.indexOf('elapsed_seconds')
          const inTurn = rows.toSorted((one, other) => (one[time] ?? 0) - (other[time] ?? 0))
          for (const row of inTurn) writer.add(row, 1)
          const last = inTurn
            .filter((row) => from === undefined || (row[time] ?? Number.NaN) >= from)
            .slice(-most)
          const query = { newest: most, ...(from === undefined ? {} : { fromSeconds: from }) }
          expect(byName(read((reader) => reader.read(query)))).toEqual(sortedRows(columns, last))
        }),
        runs,
      )
    })

    it('gives just the columns that are asked for, as not measured where it has none', () => {
      const { writer, read } = place.begin(['elapsed_seconds', 'timestamp', 'heat_joules'])
      writer.add(Float64Array.of(1, 100, 7, 2, 101, Number.NaN), 2)
      const columns = ['heat_joules', 'never_heard_of', 'timestamp', 'memory_bytes']
      expect(read((reader) => reader.read({ columns }))).toEqual({
        columns,
        rows: [
          Float64Array.of(7, Number.NaN, 100, Number.NaN),
          Float64Array.of(Number.NaN, Number.NaN, 101, Number.NaN),
        ],
        basis: {},
      })
    })

    it('gives column by column what it gives row by row', () => {
      fc.assert(
        fc.property(anySamples, ({ columns, rows }) => {
          const { writer, read } = place.begin(columns)
          for (const row of rows) writer.add(row, 1)
          const asked = ['memory_bytes', 'elapsed_seconds', 'never_heard_of']
          const range = { fromSeconds: 2 }
          const found = read((reader) => reader.readColumns(asked, range))
          const byRow = read((reader) => reader.read({ ...range, columns: asked })).rows
          expect(found.columns).toEqual(asked)
          found.values.forEach((column, index) => {
            expect([...column]).toEqual(byRow.map((row) => row[index]))
          })
        }),
        runs,
      )
    })

    it('calls what a writer did not know not measured, never 0', () => {
      const { writer, read } = place.begin(['timestamp', 'elapsed_seconds', 'cpu_user_seconds'])
      writer.add(Float64Array.of(100, 1, 0.5), 1)
      const [row] = read((reader) => reader.read().rows)
      expect(row?.[sampleIndex.cpu_user_seconds]).toBe(0.5)
      expect(row?.[sampleIndex.cpu_system_seconds]).toBeNaN()
      expect(row?.[sampleIndex.memory_bytes]).toBeNaN()
    })

    it('keeps columns of attempts apart', () => {
      const times = ['timestamp', 'elapsed_seconds']
      const one = place.begin([...times, 'select'])
      const other = place.begin([...times, 'order', 'memory_bytes'])
      one.writer.add(Float64Array.of(100, 1, 5), 1)
      other.writer.add(Float64Array.of(200, 2, 6, 7), 1)
      one.writer.add(Float64Array.of(101, 2, 6), 1)
      const more = (reader: SeriesReader) => reader.columns().slice(sampleWidth)
      expect(one.read(more)).toEqual(['select'])
      expect(other.read(more)).toEqual(['order'])
      expect(one.read((reader) => reader.read({ columns: ['select'] }).rows)).toEqual([
        Float64Array.of(5),
        Float64Array.of(6),
      ])
    })

    it.each(['a b', 'A', '', '"', 'id', 'cpu_percent', 'x'.repeat(65), 'drop table sample; --'])(
      'takes no column called %j',
      (column) => {
        expect(() => {
          place.begin(['timestamp', 'elapsed_seconds', column])
        }).toThrow('samples cannot have these columns')
      },
    )

    it('gives back any number of devices, each with columns of its own', () => {
      fc.assert(
        fc.property(anyDevices, anySamples, (devices, { columns, rows }) => {
          const { writer, read } = place.begin(columns)
          for (const some of devices) writer.addDevice(some)
          for (const row of rows) writer.add(row, 1)
          const found = read((reader) => reader.devices())
          expect(
            found.map(({ kind, id, ...series }) => [kind, id, byName({ ...series, basis: {} })]),
          ).toEqual(expectedDevices(devices))
          for (const { columns: own } of found)
            expect(own.slice(0, 2)).toEqual(['timestamp', 'elapsed_seconds'])
          expect(byName(read((reader) => reader.read()))).toEqual(sortedRows(columns, rows))
        }),
        runs,
      )
    })

    it('gives a range of time of devices too, and none that has nothing in it', () => {
      const { writer, read } = place.begin(sampleNames)
      const columns = ['timestamp', 'elapsed_seconds', 'watts']
      const rows = Float64Array.of(100, 0, 1, 101, 1, 2, 102, 2, 3)
      writer.addDevice({ kind: 'gpu', id: '1', columns, rows, count: 3 })
      writer.addDevice({ kind: 'gpu', id: '0', columns, rows, count: 1 })
      expect(read((reader) => reader.devices({ fromSeconds: 1, toSeconds: 1 }))).toEqual([
        { kind: 'gpu', id: '1', columns, rows: [Float64Array.of(101, 1, 2)] },
      ])
    })
  })
}

type NamedFigures = Readonly<Record<string, number>>

/** Each row by name, without what was not measured. */
const byName = ({ columns, rows }: Series): NamedFigures[] => rows.map((row) => named(columns, row))

const named = (columns: Columns, row: Float64Array): NamedFigures =>
  Object.fromEntries(
    columns
      .map((name, index) => [name, row[index] ?? Number.NaN] as const)
      .filter(([, figure]) => !Number.isNaN(figure)),
  )

/** Stable: rows of one moment stay as they came. */
const sortedRows = (columns: Columns, rows: readonly Float64Array[]): NamedFigures[] =>
  rows
    .map((row) => named(columns, row))
    .toSorted((one, other) => (one['elapsed_seconds'] ?? 0) - (other['elapsed_seconds'] ?? 0))

function expectedDevices(devices: readonly DeviceRows[]): unknown[] {
  const byDevice = Map.groupBy(
    devices.filter(({ count }) => count > 0),
    ({ kind, id }) => JSON.stringify([kind, id]),
  )
  return [...byDevice.values()].map((parts) => {
    const rows = parts.flatMap(({ columns, rows: numbers, count }) =>
      Array.from({ length: count }, (_, row) =>
        named(columns, numbers.subarray(row * columns.length, (row + 1) * columns.length)),
      ),
    )
    const sorted = rows.toSorted(
      (one, other) => (one['elapsed_seconds'] ?? 0) - (other['elapsed_seconds'] ?? 0),
    )
    return [parts[0]?.kind, parts[0]?.id, sorted]
  })
}
