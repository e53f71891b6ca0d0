import type { Columns } from '../../../model/series.ts'

/** The columns of a container's rows: counters since it started, and what it held at that moment. */
export const containerColumns = [
  'cpu_seconds',
  'memory_bytes',
  'memory_limit_bytes',
  'net_received_bytes',
  'net_sent_bytes',
  'block_read_bytes',
  'block_write_bytes',
  'pids',
  'cpu_periods',
  'throttled_periods',
  'throttled_seconds',
  'oom_kills',
] as const satisfies Columns
