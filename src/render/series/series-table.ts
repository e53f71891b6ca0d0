import { deriveSeries, type DerivedPoint } from '../../analysis/series/rates.ts'
import { measuredValue } from '../../analysis/series/sample-value.ts'
import type { ColumnDefinition, SampleRow } from '../../model/sample.ts'
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

export interface SeriesColumn {
  readonly name: string
  readonly kind: 'rate' | ColumnDefinition['kind']
  readonly says: string
}

/** The columns of an exported series: derived rates first, then everything that was stored. */
export function seriesColumns(stored: readonly ColumnDefinition[]): SeriesColumn[] {
  const derived = derivedColumns.map(([name, , says]) => ({ name, kind: 'rate' as const, says }))
  return [...derived, ...stored]
}

/** The figures of a series in the order of `seriesColumns`: what CSV and JSON both show. */
export function seriesRows(
  rows: readonly SampleRow[],
  stored: readonly ColumnDefinition[],
  cores: number,
): (number | null)[][] {
  return deriveSeries(rows, cores).map((point, index) => [
    ...derivedColumns.map(([, key]) => rounded(point[key], 3)),
    ...stored.map((_, column) => rounded(measuredValue(rows[index]?.[column]), 6)),
  ])
}

const rounded = (value: number | null, decimals: number): number | null =>
  value === null ? null : roundKeeping(value, decimals)
