import type { DeviceSeries } from '../../model/series.ts'

/** The CPU time that a thread had used at one of its rows; NaN if that was not measured. */
export const threadCpuSeconds = (
  { columns }: DeviceSeries,
  row: Float64Array | undefined,
): number =>
  (row?.[columns.indexOf('cpu_user_seconds')] ?? Number.NaN) +
  (row?.[columns.indexOf('cpu_system_seconds')] ?? Number.NaN)

export const cpuSecondsAtEnd = (thread: DeviceSeries): number =>
  threadCpuSeconds(thread, thread.rows.at(-1)) || 0
