import type { LiveRow } from '../../model/live.ts'
import type { Columns } from '../../model/series.ts'
import type { DerivedPoint } from './rates.ts'

/** What rows of live samples tell, by the names that exported series have for it. */
const columns = [
  ['timestamp', 'timestamp'],
  ['elapsed_seconds', 'elapsedSeconds'],
  ['cpu_percent', 'cpuPercent'],
  ['memory_bytes', 'memoryBytes'],
  ['read_bytes_per_second', 'readBytesPerSecond'],
  ['write_bytes_per_second', 'writeBytesPerSecond'],
  ['num_processes', 'processes'],
  ['num_threads', 'threads'],
  ['cpu_pressure_percent', 'cpuPressurePercent'],
  ['memory_pressure_percent', 'memoryPressurePercent'],
  ['io_pressure_percent', 'ioPressurePercent'],
  ['machine_cpu_percent', 'machineCpuPercent'],
  ['machine_memory_bytes', 'machineMemoryBytes'],
  ['machine_disk_read_bytes_per_second', 'machineDiskReadBytesPerSecond'],
  ['machine_disk_write_bytes_per_second', 'machineDiskWriteBytesPerSecond'],
  ['machine_net_received_bytes_per_second', 'machineNetReceivedBytesPerSecond'],
  ['machine_net_sent_bytes_per_second', 'machineNetSentBytesPerSecond'],
] as const satisfies readonly (readonly [string, keyof DerivedPoint])[]

export const liveColumns: Columns = columns.map(([name]) => name)

export const liveRow = (point: DerivedPoint): LiveRow => columns.map(([, key]) => point[key])
