import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Columns, Device } from '../../../model/series.ts'
import { MalformedRow } from '../../errors.ts'
import { ByteReader, ByteWriter } from './bytes.ts'
import { readColumn, writeColumn } from './column.ts'
import { namesByPlace, placeOfName } from './known-names.ts'

/** Rows of an attempt, or of one of its devices, column by column. The attempt's own have an empty kind and id. */
export interface PackedSeries extends Device {
  readonly columns: Columns
  readonly count: number
  /** `count` figures of each column. */
  readonly values: readonly Float64Array[]
}

/** Rows of a chunk; each begins at a multiple of it. While a job runs its last chunk is sent again whenever it has grown. */
export const rowsPerChunk = 512

/** The first byte: how the rest is to be read. */
const format = 2

/** A chunk that has more was not written by us, or not for this. */
const mostColumns = 256
/** What columns with names and figures of their own take at most, of a chunk and of each of its rows. */
const headBytes = 64 * 1024
const rowBytes = 16 * 1024

/** Level 6 takes a third of the time of level 12, and its chunks are 1 % larger. A checksum of four bytes shows damage. */
const packing = {
  params: { [constants.ZSTD_c_compressionLevel]: 6, [constants.ZSTD_c_checksumFlag]: 1 },
}

/** Packs rows so that every figure comes back bit for bit; NaN, for "not measured", is the same wherever it is. */
export function packChunk(series: readonly PackedSeries[]): NonSharedBuffer {
  const writer = new ByteWriter()
  writer.count(series.length)
  for (const one of series) writeSeries(writer, one)
  return Buffer.concat([Buffer.of(format), zstdCompressSync(writer.written(), packing)])
}

/**
 * Unpacks a chunk of so many rows. Whoever may write to a team ledger may write anything: what a chunk takes in memory is
 * bound by its rows, and nothing is taken before it is known how many there are.
 */
export function unpackChunk(packed: Buffer, rowCount: number): PackedSeries[] {
  if (packed[0] !== format) throw new MalformedRow('samples are packed in an unknown way')
  try {
    if (!(rowCount >= 0 && rowCount <= rowsPerChunk))
      throw new RangeError(`a chunk has at most ${rowsPerChunk} rows`)
    const reader = new ByteReader(zstdDecompressSync(packed.subarray(1), unpackingOf(rowCount)))
    return readAll(reader, rowCount)
  } catch (error) {
    throw new MalformedRow(`samples cannot be unpacked (${String(error)})`)
  }
}

const unpackingOf = (rowCount: number) => ({
  maxOutputLength: headBytes + rowCount * rowBytes,
  params: { [constants.ZSTD_d_windowLogMax]: 23 },
})

function readAll(reader: ByteReader, rowCount: number): PackedSeries[] {
  const seriesCount = reader.count()
  const all: PackedSeries[] = []
  let left = rowCount
  while (all.length < seriesCount) {
    const one = readSeries(reader, left)
    left -= one.count
    all.push(one)
  }
  if (left > 0 || !reader.isAtEnd) throw new RangeError('a chunk has other rows than it should')
  return all
}

function writeSeries(writer: ByteWriter, { kind, id, columns, count, values }: PackedSeries): void {
  writer.text(kind)
  writer.text(id)
  writer.count(count)
  writer.count(columns.length)
  for (const name of columns) writeName(writer, name)
  for (const place of writingOrder(columns))
    writeColumn(writer, values[place] ?? new Float64Array(), written(values, columns, place))
}

function readSeries(reader: ByteReader, mostRows: number): PackedSeries {
  const kind = reader.text()
  const id = reader.text()
  const count = reader.count()
  if (count === 0 || count > mostRows) throw new RangeError('a chunk has other rows than it should')
  const width = reader.count()
  if (width > mostColumns) throw new RangeError(`a chunk has at most ${mostColumns} columns`)
  const columns = Array.from({ length: width }, () => readName(reader))
  const values: Float64Array[] = []
  for (const place of writingOrder(columns))
    values[place] = readColumn(reader, count, written(values, columns, place))
  return { kind, id, columns, count, values }
}

/** The time comes after what has elapsed, from which it follows; all others where they are. */
function writingOrder(columns: Columns): number[] {
  const places = columns.map((_, place) => place)
  const time = columns.indexOf('timestamp')
  return time < 0 ? places : [...places.filter((place) => place !== time), time]
}

/** The columns that this one may follow from. */
function written(
  values: readonly Float64Array[],
  columns: Columns,
  place: number,
): readonly Float64Array[] {
  const source = leads.get(columns[place] ?? '')
  const found = source === undefined ? undefined : values[columns.indexOf(source)]
  return found === undefined ? [] : [found]
}

const leads: ReadonlyMap<string, string> = new Map([
  ['timestamp', 'elapsed_seconds'],
  ['cpu_system_seconds', 'cpu_user_seconds'],
])

/** Names that all samples have take a byte. */
function writeName(writer: ByteWriter, name: string): void {
  const place = placeOfName.get(name)
  writer.count(place === undefined ? 0 : place + 1)
  if (place === undefined) writer.text(name)
}

function readName(reader: ByteReader): string {
  const place = reader.count()
  if (place === 0) return reader.text()
  const name = namesByPlace[place - 1]
  if (name === undefined) throw new RangeError('a chunk was written by a newer version')
  return name
}
