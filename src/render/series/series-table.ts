import { deriveSeries, type DerivedPoint } from '../../analysis/series/rates.ts'
import { sampleValue } from '../../analysis/series/sample-value.ts'
import { sampleColumns, type SampleColumn, type SampleRow } from '../../model/sample.ts'
import { roundKeeping } from '../units/figures.ts'

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

export type SeriesColumnName = (typeof derivedColumns)[number][0] | SampleColumn

export interface SeriesColumn {
  readonly name: SeriesColumnName
  readonly kind: 'rate' | 'time' | 'counter' | 'gauge'
  readonly says: string
}

/** The columns of an exported series: derived rates first, then everything that was stored. */
export const seriesColumns: readonly SeriesColumn[] = [
  ...derivedColumns.map(([name, , says]) => ({ name, kind: 'rate' as const, says })),
  ...sampleColumns,
]

/** The figures of a series in the order of `seriesColumns`: what CSV and JSON both show. */
export function seriesRows(rows: readonly SampleRow[], cores: number): (number | null)[][] {
  return deriveSeries(rows, cores).map((point, index) => [
    ...derivedColumns.map(([, key]) => rounded(point[key], 3)),
    ...storedFigures(rows[index]),
  ])
}

function storedFigures(row: SampleRow | undefined): (number | null)[] {
  if (row === undefined) return []
  return sampleColumns.map(({ name }) => rounded(sampleValue(row, name), 6))
}

const rounded = (value: number | null, decimals: number): number | null =>
  value === null ? null : roundKeeping(value, decimals)
