import type { ByteReader, ByteWriter } from './bytes.ts'
import { readPlain, writePlain } from './plain-doubles.ts'
import { readWhole, wholeNumbers, writeWhole } from './whole-numbers.ts'

/** How the figures of a column are written; what is not measured is told apart from them. */
const forms = { missing: 0, zero: 1, constant: 2, whole: 3, plain: 4, after: 5, rest: 6 } as const
/** Added to the form where some rows have no figure. */
const hasGaps = 0x40

/** Columns that are already written, and so known to whoever reads. */
export type EarlierColumns = readonly Float64Array[]

/**
 * Writes a column so that each figure comes back bit for bit. Two columns are often made of one measurement: the time of a
 * sample is the start plus what has elapsed, and user and system time are parts of a total that is counted in whole
 * nanoseconds. Then only what is new is written.
 */
export function writeColumn(
  writer: ByteWriter,
  column: Float64Array,
  earlier: EarlierColumns,
): void {
  const there = column.filter((value) => !Number.isNaN(value))
  if (there.length === 0) {
    writer.byte(forms.missing)
    return
  }
  const gaps = there.length < column.length ? hasGaps : 0
  const begin = (form: number): void => {
    writer.byte(form + gaps)
    if (gaps > 0) writeGaps(writer, column)
  }
  if (isConstant(there)) writeConstant(writer, begin, there[0] ?? 0)
  else if (gaps > 0 || !writeRelated(writer, column, earlier)) writeFigures(writer, begin, there)
}

function writeConstant(writer: ByteWriter, begin: (form: number) => void, value: number): void {
  if (Object.is(value, 0)) {
    begin(forms.zero)
    return
  }
  begin(forms.constant)
  writer.double(value)
}

function writeFigures(
  writer: ByteWriter,
  begin: (form: number) => void,
  values: Float64Array,
): void {
  const whole = wholeNumbers(values)
  begin(whole === undefined ? forms.plain : forms.whole)
  if (whole === undefined) writePlain(writer, values)
  else writeWhole(writer, whole)
}

/** By an earlier column, where there is one that it follows from; only of use where it is no column of whole numbers. */
function writeRelated(writer: ByteWriter, column: Float64Array, earlier: EarlierColumns): boolean {
  if (earlier.length === 0 || wholeNumbers(column)?.unit === 0) return false
  for (const [place, other] of earlier.entries()) {
    const start = startOf(column, other)
    if (start !== undefined) {
      writer.byte(forms.after)
      writer.count(place)
      writer.double(start)
      return true
    }
  }
  for (const [place, other] of earlier.entries()) {
    const totals = totalsOf(column, other)
    const whole = totals === undefined ? undefined : wholeNumbers(totals)
    if (whole !== undefined && wholeNumbers(column) === undefined) {
      writer.byte(forms.rest)
      writer.count(place)
      writeWhole(writer, whole)
      return true
    }
  }
  return false
}

/** The number that all of them are, after those of the other column; undefined where there is none. */
function startOf(column: Float64Array, other: Float64Array): number | undefined {
  const candidates = new Set(
    [0, column.length >> 1, column.length - 1].map((row) => (column[row] ?? 0) - (other[row] ?? 0)),
  )
  for (const start of candidates)
    if (column.every((value, row) => Object.is(start + (other[row] ?? 0), value))) return start
  return undefined
}

const nanoseconds = 1e9

/** What both columns are together, in whole nanoseconds, where that less the other column is the column bit for bit. */
function totalsOf(column: Float64Array, other: Float64Array): Float64Array | undefined {
  const totals = new Float64Array(column.length)
  for (let row = 0; row < column.length; row += 1) {
    const value = column[row] ?? 0
    const part = other[row] ?? 0
    const total = Math.round((value + part) * nanoseconds) / nanoseconds
    if (!Object.is(total - part, value)) return undefined
    totals[row] = total
  }
  return totals
}

export function readColumn(
  reader: ByteReader,
  count: number,
  earlier: EarlierColumns,
): Float64Array {
  const form = reader.byte()
  if (form === forms.missing) return new Float64Array(count).fill(Number.NaN)
  if ((form & hasGaps) === 0) return readFigures(reader, form, count, earlier)
  const isThere = readGaps(reader, count)
  const figures = readFigures(reader, form - hasGaps, isThere.filter(Boolean).length, earlier)
  let next = 0
  return Float64Array.from(isThere, (there) => {
    if (!there) return Number.NaN
    next += 1
    return figures[next - 1] ?? Number.NaN
  })
}

function readFigures(
  reader: ByteReader,
  form: number,
  count: number,
  earlier: EarlierColumns,
): Float64Array {
  const other = (): Float64Array => earlier[reader.count()] ?? new Float64Array(count)
  switch (form) {
    case forms.zero:
      return new Float64Array(count)
    case forms.constant:
      return new Float64Array(count).fill(reader.double())
    case forms.whole:
      return readWhole(reader, count)
    case forms.plain:
      return readPlain(reader, count)
    case forms.after: {
      const times = other()
      const start = reader.double()
      return times.map((time) => start + time)
    }
    case forms.rest: {
      const parts = other()
      return readWhole(reader, count).map((total, row) => total - (parts[row] ?? 0))
    }
    default:
      throw new RangeError('a chunk was written by a newer version')
  }
}

function isConstant(values: Float64Array): boolean {
  return values.every((value) => Object.is(value, values[0]))
}

/** How many rows have a figure, how many have none, and so on in turn. */
function writeGaps(writer: ByteWriter, column: Float64Array): void {
  let there = true
  let run = 0
  for (const value of column) {
    if (Number.isNaN(value) === there) {
      writer.count(run)
      run = 0
      there = !there
    }
    run += 1
  }
  writer.count(run)
}

function readGaps(reader: ByteReader, count: number): boolean[] {
  const isThere: boolean[] = []
  for (let there = true; isThere.length < count; there = !there) {
    const run = reader.count()
    if (run > count - isThere.length) throw new RangeError('a chunk has too many rows')
    for (let row = 0; row < run; row += 1) isThere.push(there)
  }
  return isThere
}
