import type { ColumnDefinition } from '../../../model/sample.ts'

/** The columns of a container's rows: counters since it started, or since it was first looked at if it ran before, and what it held at that moment. */
export const containerColumns = [
  { name: 'cpu_seconds', kind: 'counter', says: 'CPU time' },
  { name: 'memory_bytes', kind: 'gauge', says: 'memory without page cache' },
  { name: 'memory_limit_bytes', kind: 'gauge', says: 'memory that it may use' },
  { name: 'net_received_bytes', kind: 'counter', says: 'received from the network' },
  { name: 'net_sent_bytes', kind: 'counter', says: 'sent to the network' },
  { name: 'block_read_bytes', kind: 'counter', says: 'read from storage' },
  { name: 'block_write_bytes', kind: 'counter', says: 'written to storage' },
  { name: 'pids', kind: 'gauge', says: 'processes and threads' },
  { name: 'cpu_periods', kind: 'counter', says: 'periods of its CPU limit in which it ran' },
  { name: 'throttled_periods', kind: 'counter', says: 'those of them in which it was stopped' },
  { name: 'throttled_seconds', kind: 'counter', says: 'time stopped, summed over CPUs' },
  { name: 'oom_kills', kind: 'counter', says: 'processes killed for memory' },
] as const satisfies readonly ColumnDefinition[]

export const containerColumnNames = containerColumns.map(({ name }) => name)
