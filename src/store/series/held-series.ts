import type {
  Columns,
  Device,
  DeviceRows,
  DeviceSeries,
  Series,
  SeriesColumns,
} from '../../model/series.ts'
import { sampleNames } from '../../model/sample.ts'
import type { SeriesQuery, SeriesReader, TimeRange } from './series.ts'

/** Rows that have the same columns. */
export interface NamedRows {
  readonly columns: Columns
  readonly rows: readonly Float64Array[]
}

/** Rows of a device, as they were found. */
export type FoundDevice = Device & NamedRows

/** Every row of these samples on its own; the rows share the samples' memory. */
export function rowsOf(width: number, rows: Float64Array, count: number): Float64Array[] {
  return Array.from({ length: count }, (_, row) => rows.subarray(row * width, (row + 1) * width))
}

export const foundDevice = ({ kind, id, columns, rows, count }: DeviceRows): FoundDevice => ({
  kind,
  id,
  columns,
  rows: rowsOf(columns.length, rows, count),
})

/** What is left when so many rows were taken off the front. */
export function withoutFirst(devices: readonly DeviceRows[], rows: number): DeviceRows[] {
  let toSkip = rows
  return devices.flatMap((part) => {
    const skipped = Math.min(toSkip, part.count)
    toSkip -= skipped
    if (skipped === part.count) return []
    const left = part.rows.subarray(skipped * part.columns.length)
    return [{ ...part, rows: left, count: part.count - skipped }]
  })
}

/** A series of which all is in memory, in parts that may have different columns. */
export class HeldSeries implements SeriesReader {
  readonly #samples: readonly NamedRows[]
  readonly #devices: readonly FoundDevice[]
  readonly #basis: Series['basis']

  constructor(
    samples: readonly NamedRows[],
    devices: readonly FoundDevice[],
    basis: Series['basis'] = {},
  ) {
    this.#samples = samples
    this.#devices = devices
    this.#basis = basis
  }

  columns(): Columns {
    return withFigures(this.#samples, sampleNames)
  }

  read(query: SeriesQuery = {}): Series {
    return { ...arranged(this.#samples, query), basis: this.#basis }
  }

  readColumns(columns: Columns, range: TimeRange = {}): SeriesColumns {
    const { rows } = this.read({ ...range, columns })
    const values = columns.map((_, place) =>
      Float64Array.from(rows, (row) => row[place] ?? Number.NaN),
    )
    return { columns, values }
  }

  devices(range: TimeRange = {}): readonly DeviceSeries[] {
    return devicesOf(this.#devices, range)
  }
}

/** What a query wants of parts that were found. */
export function arranged(parts: readonly NamedRows[], query: SeriesQuery): Series {
  const columns = query.columns ?? withFigures(parts, sampleNames)
  return { columns, rows: inOrder(parts, columns, query), basis: {} }
}

/** These columns, and after them all others of which a part has a figure. */
export function withFigures(parts: readonly NamedRows[], known: Columns): Columns {
  const names = new Set(known)
  for (const { columns, rows } of parts)
    columns.forEach((name, index) => {
      if (names.has(name)) return
      if (rows.some((row) => !Number.isNaN(row[index] ?? Number.NaN))) names.add(name)
    })
  return [...names]
}

const timeColumns: Columns = ['timestamp', 'elapsed_seconds']

/** Devices one by one, of parts that may each have some rows of one. */
export function devicesOf(found: readonly FoundDevice[], range: TimeRange): DeviceSeries[] {
  const byDevice = Map.groupBy(found, ({ kind, id }) => JSON.stringify([kind, id]))
  return [...byDevice.values()].flatMap((parts) => {
    const [{ kind, id } = { kind: '', id: '' }] = parts
    const columns = withFigures(parts, timeColumns)
    const rows = inOrder(parts, columns, range)
    return rows.length === 0 ? [] : [{ kind, id, columns, rows }]
  })
}

function inOrder(
  parts: readonly NamedRows[],
  columns: Columns,
  {
    fromSeconds = Number.NEGATIVE_INFINITY,
    toSeconds = Number.POSITIVE_INFINITY,
    newest = Number.POSITIVE_INFINITY,
  }: Omit<SeriesQuery, 'columns'>,
): readonly Float64Array[] {
  const isLimited = fromSeconds > Number.NEGATIVE_INFINITY || toSeconds < Number.POSITIVE_INFINITY
  const timed = parts.flatMap((part) => {
    const project = projection(part.columns, columns)
    const time = part.columns.indexOf('elapsed_seconds')
    return part.rows
      .map((row) => ({ row, seconds: row[time] ?? Number.NaN, project }))
      .filter(({ seconds }) => !isLimited || (seconds >= fromSeconds && seconds <= toSeconds))
  })
  return timed
    .toSorted((one, other) => compareTimes(one.seconds, other.seconds))
    .slice(Math.max(0, timed.length - newest))
    .map(({ row, project }) => project(row))
}

/** Whether rows lie in order of time, each with one. */
export function isAscending(times: Float64Array): boolean {
  for (let row = 1; row < times.length; row += 1)
    if (!((times[row] ?? 0) >= (times[row - 1] ?? 0))) return false
  return true
}

/** As SQLite sorts: what has no time comes first. */
export const compareTimes = (one: number, other: number): number =>
  Number.isNaN(one) || Number.isNaN(other)
    ? Number(Number.isNaN(other)) - Number(Number.isNaN(one))
    : one - other

/** Brings a row from columns to others; a column that it has not is one that was not measured. */
function projection(from: Columns, to: Columns): (row: Float64Array) => Float64Array {
  if (from.length === to.length && from.every((name, index) => name === to[index]))
    return (row) => row
  const places = to.map((name) => from.indexOf(name))
  return (row) => Float64Array.from(places, (place) => row[place] ?? Number.NaN)
}
