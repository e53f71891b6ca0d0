import { deriveSeries, type DerivedPoint } from '../../analysis/series/rates.ts'
import { sampleColumns } from '../../model/sample.ts'
import type { Columns, DeviceSeries, Series } from '../../model/series.ts'
import { roundKeeping } from '../units/figures.ts'

/** The samples of a job, and of the devices that it used. */
export interface SampledJob {
  readonly series: Series
  readonly devices: readonly DeviceSeries[]
}

/** The rates that people want and would otherwise have to work out from the counters. */
const derivedColumns = [
  ['cpu_percent', 'cpuPercent', '100 is one core'],
  ['read_bytes_per_second', 'readBytesPerSecond', 'fetched from storage'],
  ['write_bytes_per_second', 'writeBytesPerSecond', 'sent to storage'],
  ['machine_cpu_percent', 'machineCpuPercent', '100 is every core of the machine'],
  ['machine_disk_read_bytes_per_second', 'machineDiskReadBytesPerSecond', 'from all disks'],
  ['machine_disk_write_bytes_per_second', 'machineDiskWriteBytesPerSecond', 'to all disks'],
  ['machine_net_received_bytes_per_second', 'machineNetReceivedBytesPerSecond', 'all but loopback'],
  ['machine_net_sent_bytes_per_second', 'machineNetSentBytesPerSecond', 'all but loopback'],
] as const satisfies readonly (readonly [string, keyof DerivedPoint, string])[]

export interface SeriesColumn {
  readonly name: string
  /** `other`: one that this version does not know, as another wrote it. */
  readonly kind: 'rate' | 'time' | 'counter' | 'gauge' | 'other'
  readonly says: string
}

/** The columns of an exported series: derived rates first, then everything that is stored. */
export const seriesColumns: readonly SeriesColumn[] = [
  ...derivedColumns.map(([name, , says]) => ({ name, kind: 'rate' as const, says })),
  ...sampleColumns,
]

/** The same, with those of a series that this version does not know. */
export const columnsOf = ({ columns }: Series): readonly SeriesColumn[] => [
  ...seriesColumns,
  ...columns.slice(sampleColumns.length).map((name): SeriesColumn => ({
    name,
    kind: 'other',
    says: 'not known to this version',
  })),
]

/** The figures of a series in the order of `columnsOf`: what CSV and JSON both show. */
export function seriesRows({ rows }: Series, cores: number): (number | null)[][] {
  return deriveSeries(rows, cores).map((point, index) => [
    ...derivedColumns.map(([, key]) => rounded(point[key], 3)),
    ...storedFigures(rows[index] ?? []),
  ])
}

/** The figures of a device, in the order of its columns. */
export const deviceRows = ({ rows }: DeviceSeries): (number | null)[][] => rows.map(storedFigures)

/** Columns that only devices have. */
export function deviceColumns({ series, devices }: SampledJob): Columns {
  const known = new Set(columnsOf(series).map(({ name }) => name))
  const names = devices.flatMap(({ columns }) => columns.filter((name) => !known.has(name)))
  return [...new Set(names)]
}

/** NaN, infinities and negative numbers were never measured. */
const storedFigures = (row: Iterable<number>): (number | null)[] =>
  Array.from(row, (value) => rounded(Number.isFinite(value) && value >= 0 ? value : null, 6))

const rounded = (value: number | null, decimals: number): number | null =>
  value === null ? null : roundKeeping(value, decimals)
