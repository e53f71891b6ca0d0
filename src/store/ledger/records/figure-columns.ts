import type { SQLInputValue } from 'node:sqlite'
import { briefKeys, type BriefKey } from '../../../model/brief-record.ts'
import { isLowerBound } from '../../../model/measured.ts'
import { usageKeys, type Usage } from '../../../model/usage.ts'
import type { RowValues } from '../../sqlite/write-row.ts'

/**
 * The figures of a usage that stand beside the JSON that holds them all: for lists of many attempts, and for people who
 * sort and sum with sqlite3.
 */
export const columnOf = {
  cpuUserSeconds: 'cpu_user_seconds',
  cpuSystemSeconds: 'cpu_system_seconds',
  cpuTotalSeconds: 'cpu_seconds',
  cpuPercentMean: 'cpu_percent_mean',
  cpuPercentPeak: 'cpu_percent_peak',
  memoryPeakBytes: 'memory_peak_bytes',
  memoryMeanBytes: 'memory_mean_bytes',
  readBytes: 'read_bytes',
  writeBytes: 'write_bytes',
} as const satisfies Record<BriefKey, string>

export function figureColumns(usage: Usage): RowValues {
  const columns: Record<string, SQLInputValue> = {}
  for (const key of briefKeys) columns[columnOf[key]] = usage[key].value
  columns['lower_bounds'] = usageKeys.filter((key) => isLowerBound(usage[key])).join(' ')
  return columns
}
