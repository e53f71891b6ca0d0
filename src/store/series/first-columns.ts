import type { Columns } from '../../model/series.ts'

/**
 * The columns of a sample, in their order, as all builds had them that did not name them in the spool. Never edited: files of
 * theirs are read by it, and every ledger's table has them.
 */
export const firstColumns: Columns = [
  'timestamp',
  'elapsed_seconds',
  'cpu_user_seconds',
  'cpu_system_seconds',
  'memory_bytes',
  'rss_bytes',
  'swap_bytes',
  'cgroup_memory_bytes',
  'num_processes',
  'num_threads',
  'read_bytes',
  'write_bytes',
  'read_chars',
  'write_chars',
  'read_calls',
  'write_calls',
  'minor_faults',
  'major_faults',
  'io_delay_seconds',
  'cpu_pressure_seconds',
  'memory_pressure_seconds',
  'io_pressure_seconds',
  'machine_cpu_seconds',
  'machine_io_wait_seconds',
  'machine_memory_bytes',
  'machine_disk_read_bytes',
  'machine_disk_write_bytes',
  'machine_net_received_bytes',
  'machine_net_sent_bytes',
]
