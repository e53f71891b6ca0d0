/**
 * A sample: raw, cumulative counters and instant gauges of one attempt at one moment. Rates are derived when samples are
 * read, so that new arithmetic works on old data.
 *
 * Every sample begins with these columns, in this order, whoever took it: the analyses know them by name.
 * What they mean is told by the gauges that fill them (`meter/gauges`). A gauge may bring further columns: they come
 * after these, and their names go with the rows.
 */
export const sampleColumns = [
  { name: 'timestamp', kind: 'time' },
  { name: 'elapsed_seconds', kind: 'time' },
  { name: 'cpu_user_seconds', kind: 'counter' },
  { name: 'cpu_system_seconds', kind: 'counter' },
  { name: 'memory_bytes', kind: 'gauge' },
  { name: 'rss_bytes', kind: 'gauge' },
  { name: 'swap_bytes', kind: 'gauge' },
  { name: 'cgroup_memory_bytes', kind: 'gauge' },
  { name: 'num_processes', kind: 'gauge' },
  { name: 'num_threads', kind: 'gauge' },
  { name: 'read_bytes', kind: 'counter' },
  { name: 'write_bytes', kind: 'counter' },
  { name: 'read_chars', kind: 'counter' },
  { name: 'write_chars', kind: 'counter' },
  { name: 'read_calls', kind: 'counter' },
  { name: 'write_calls', kind: 'counter' },
  { name: 'minor_faults', kind: 'counter' },
  { name: 'major_faults', kind: 'counter' },
  { name: 'io_delay_seconds', kind: 'counter' },
  { name: 'cpu_pressure_seconds', kind: 'counter' },
  { name: 'memory_pressure_seconds', kind: 'counter' },
  { name: 'io_pressure_seconds', kind: 'counter' },
  { name: 'machine_cpu_seconds', kind: 'counter' },
  { name: 'machine_io_wait_seconds', kind: 'counter' },
  { name: 'machine_memory_bytes', kind: 'gauge' },
  { name: 'machine_disk_read_bytes', kind: 'counter' },
  { name: 'machine_disk_write_bytes', kind: 'counter' },
  { name: 'machine_net_received_bytes', kind: 'counter' },
  { name: 'machine_net_sent_bytes', kind: 'counter' },
] as const

/**
 * The name of a column that every sample has.
 *
 * @see sampleColumns
 */
export type SampleColumn = (typeof sampleColumns)[number]['name']

/** The name of a column of samples, how to read it, and what it means. */
export interface ColumnDefinition<Name extends string = string> {
  readonly name: Name
  /** `other`: the column of a gauge that this build does not have. */
  readonly kind: 'time' | 'counter' | 'gauge' | 'other'
  readonly says: string
}

/** The position of each of these columns in a row. */
export const sampleIndex = Object.fromEntries(
  sampleColumns.map((column, index) => [column.name, index]),
) as Readonly<Record<SampleColumn, number>>

export const sampleNames: readonly SampleColumn[] = sampleColumns.map(({ name }) => name)

/**
 * One stored sample: a number for each of these columns, and possibly more. Only in rows, NaN means "not measured".
 *
 * @see deriveSeries
 */
export type SampleRow = Float64Array
