/**
 * The columns of a sample: raw, cumulative counters and instant gauges of one attempt at one moment.
 * Rates are derived when samples are read, so that new arithmetic works on old data.
 * This one list makes the database columns, the CSV header, the JSON keys and the documentation.
 */
export const sampleColumns = [
  {
    name: 'timestamp',
    kind: 'time',
    says: 'seconds since 1970: the start by the wall clock, and what elapsed since',
  },
  {
    name: 'elapsed_seconds',
    kind: 'time',
    says: 'since the job started, by a clock that never steps',
  },
  { name: 'cpu_user_seconds', kind: 'counter', says: 'CPU time in user code' },
  { name: 'cpu_system_seconds', kind: 'counter', says: 'CPU time in the kernel' },
  {
    name: 'memory_bytes',
    kind: 'gauge',
    says: 'memory of all processes, shared pages counted once',
  },
  {
    name: 'rss_bytes',
    kind: 'gauge',
    says: 'sum of resident sizes, shared pages counted once per process',
  },
  { name: 'swap_bytes', kind: 'gauge', says: 'memory swapped out' },
  {
    name: 'cgroup_memory_bytes',
    kind: 'gauge',
    says: "memory of the job's cgroup, page cache included",
  },
  { name: 'num_processes', kind: 'gauge', says: 'living processes' },
  { name: 'num_threads', kind: 'gauge', says: 'living threads' },
  { name: 'read_bytes', kind: 'counter', says: 'bytes fetched from storage' },
  { name: 'write_bytes', kind: 'counter', says: 'bytes sent to storage' },
  { name: 'read_chars', kind: 'counter', says: 'bytes passed through read calls, cached or not' },
  { name: 'write_chars', kind: 'counter', says: 'bytes passed through write calls, cached or not' },
  { name: 'read_calls', kind: 'counter', says: 'read calls' },
  { name: 'write_calls', kind: 'counter', says: 'write calls' },
  { name: 'minor_faults', kind: 'counter', says: 'page faults served from memory' },
  { name: 'major_faults', kind: 'counter', says: 'page faults that waited for storage' },
  { name: 'io_delay_seconds', kind: 'counter', says: 'time processes waited for block I/O' },
  {
    name: 'cpu_pressure_seconds',
    kind: 'counter',
    says: 'time some task of the job waited for a CPU',
  },
  {
    name: 'memory_pressure_seconds',
    kind: 'counter',
    says: 'time some task of the job waited for memory',
  },
  {
    name: 'io_pressure_seconds',
    kind: 'counter',
    says: 'time some task of the job waited for I/O',
  },
  { name: 'machine_cpu_seconds', kind: 'counter', says: 'busy CPU time of the whole machine' },
  {
    name: 'machine_io_wait_seconds',
    kind: 'counter',
    says: 'CPU time the whole machine idled for I/O',
  },
  { name: 'machine_memory_bytes', kind: 'gauge', says: 'memory in use on the whole machine' },
  { name: 'machine_disk_read_bytes', kind: 'counter', says: 'bytes read from all disks' },
  { name: 'machine_disk_write_bytes', kind: 'counter', says: 'bytes written to all disks' },
  {
    name: 'machine_net_received_bytes',
    kind: 'counter',
    says: 'bytes received on all interfaces but loopback',
  },
  {
    name: 'machine_net_sent_bytes',
    kind: 'counter',
    says: 'bytes sent on all interfaces but loopback',
  },
] as const

export type SampleColumn = (typeof sampleColumns)[number]['name']

/** Where each column stands in a row. */
export const sampleIndex = Object.fromEntries(
  sampleColumns.map((column, index) => [column.name, index]),
) as Readonly<Record<SampleColumn, number>>

export const sampleWidth = sampleColumns.length

/** One stored sample: a row of `sampleWidth` numbers. NaN stands for "not measured" inside rows only. */
export type SampleRow = Float64Array
