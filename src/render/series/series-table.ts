import { derivedPoints, type DerivedPoint } from '../../analysis/series/rates.ts'
import { measuredValue } from '../../analysis/series/sample-value.ts'
import type { Mark } from '../../model/marks/mark.ts'
import type { ColumnDefinition } from '../../model/sample.ts'
import type { Columns, DeviceSeries, Series } from '../../model/series.ts'
import { roundKeeping } from '../units/figures.ts'
import { gpuColumns } from './gpu-columns.ts'

/** The samples of a job, and of the devices that it used. */
export interface SampledJob {
  readonly series: Series
  /** What each column of the series says. */
  readonly columns: readonly ColumnDefinition[]
  readonly devices: readonly DeviceSeries[]
  /** What its program told of. */
  readonly marks?: readonly Mark[]
}

/** The rates that people want and would otherwise have to work out from the counters. */
const derivedColumns = [
  ['cpu_percent', 'cpuPercent', '100 is one core'],
  ['read_bytes_per_second', 'readBytesPerSecond', 'fetched from storage'],
  ['write_bytes_per_second', 'writeBytesPerSecond', 'sent to storage'],
  ['machine_cpu_percent', 'machineCpuPercent', '100 is every core of the machine'],
  ['machine_disk_read_bytes_per_second', 'machineDiskReadBytesPerSecond', 'from all disks'],
  ['machine_disk_write_bytes_per_second', 'machineDiskWriteBytesPerSecond', 'to all disks'],
  [
    'machine_net_received_bytes_per_second',
    'machineNetReceivedBytesPerSecond',
    'all interfaces except loopback',
  ],
  [
    'machine_net_sent_bytes_per_second',
    'machineNetSentBytesPerSecond',
    'all interfaces except loopback',
  ],
] as const satisfies readonly (readonly [string, keyof DerivedPoint, string])[]

export interface SeriesColumn {
  readonly name: string
  readonly kind: 'rate' | ColumnDefinition['kind']
  readonly says: string
}

/** The columns of an exported series: derived rates first, then those of cards, then everything that was stored. */
export function seriesColumns(
  stored: readonly ColumnDefinition[],
  devices: readonly DeviceSeries[] = [],
): SeriesColumn[] {
  const derived = derivedColumns.map(([name, , says]) => ({ name, kind: 'rate' as const, says }))
  const cards = gpuColumns(devices).map(({ name, kind, says }) => ({ name, kind, says }))
  return [...derived, ...cards, ...stored]
}

/** The figures of a series in the order of `seriesColumns`: what CSV and JSON both show. */
export function* seriesRows(
  { series, devices }: SampledJob,
  cores: number,
): Generator<(number | null)[]> {
  const { rows, columns } = series
  const cards = gpuColumns(devices)
  const timeAt = columns.indexOf('elapsed_seconds')
  let index = 0
  for (const point of derivedPoints(rows, cores)) {
    const row = rows[index++] ?? new Float64Array()
    yield [
      ...derivedColumns.map(([, key]) => rounded(point[key], 3)),
      ...cards.map(({ at }) => at(row[timeAt] ?? Number.NaN)),
      ...storedFigures(row),
    ]
  }
}

/** The figures of a device, in the order of its columns. */
export const deviceRows = ({ rows }: DeviceSeries): (number | null)[][] => rows.map(storedFigures)

/** Columns that only devices have. */
export function deviceColumns({ columns, devices }: SampledJob): Columns {
  const known = new Set(seriesColumns(columns, devices).map(({ name }) => name))
  const names = devices.flatMap((device) => device.columns.filter((name) => !known.has(name)))
  return [...new Set(names)]
}

const storedFigures = (row: Iterable<number>): (number | null)[] =>
  Array.from(row, (value) => rounded(measuredValue(value), 6))

const rounded = (value: number | null, decimals: number): number | null =>
  value === null ? null : roundKeeping(value, decimals)
