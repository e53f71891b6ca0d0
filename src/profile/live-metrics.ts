import { megabyte } from '../model/bytes.ts'
import { coresPercent, diskWaitPercent, sharePercent } from '../model/time-shares.ts'
import type { LiveLook } from './live-look.ts'

/** What a metric speaks of: the moment, the time since the last look, or a span that is long enough for a rate. */
type Span = 'now' | 'since last look' | 'rate'

export interface LiveMetric {
  readonly name: string
  /** A name for several of them. */
  readonly group: 'cpu' | 'memory' | 'io'
  /** The gauges that it is read from. */
  readonly gauges: readonly ('cpu' | 'memory' | 'io' | 'machine')[]
  readonly span: Span
  readonly says: string
  /** NaN where it is not told. `then` is the look that the span began with. */
  value(now: LiveLook, then: LiveLook): number
  /** Why it is not told, where it is not. */
  readonly why: string
}

const ended = 'no process of it is left, or its counters cannot be read'
const unreadIo = '/proc/PID/io of some process could not be read: no permission'

/** All metrics of a live sample but those of GPUs, in their order. */
export const liveMetrics: readonly LiveMetric[] = [
  {
    name: 'cpu_percent',
    group: 'cpu',
    gauges: ['machine'],
    span: 'rate',
    says: 'CPU of the whole machine; 100 is every core',
    value: (now, then) => sharePercent(busySeconds(now, then), allSeconds(now, then)),
    why: '/proc/stat could not be read',
  },
  {
    name: 'cpu_process_percent',
    group: 'cpu',
    gauges: ['cpu'],
    span: 'rate',
    says: 'CPU of the process and its descendants; 100 is one core',
    value: (now, then) =>
      coresPercent(
        grown(now.processCpuSeconds, then.processCpuSeconds),
        seconds(now, then),
        now.cores,
      ),
    why: ended,
  },
  {
    name: 'memory_system_mb',
    group: 'memory',
    gauges: ['machine'],
    span: 'now',
    says: 'memory that the machine has',
    value: ({ machineMemoryBytes }) => machineMemoryBytes / megabyte,
    why: '/proc/meminfo could not be read',
  },
  {
    name: 'memory_available_mb',
    group: 'memory',
    gauges: ['machine'],
    span: 'now',
    says: 'memory of it that programs could still get without swapping',
    value: ({ machineMemoryBytes, machineUsedBytes }) =>
      (machineMemoryBytes - machineUsedBytes) / megabyte,
    why: '/proc/meminfo could not be read',
  },
  {
    name: 'memory_percent',
    group: 'memory',
    gauges: ['machine'],
    span: 'now',
    says: 'memory in use on the machine',
    value: ({ machineMemoryBytes, machineUsedBytes }) =>
      sharePercent(machineUsedBytes, machineMemoryBytes),
    why: '/proc/meminfo could not be read',
  },
  {
    name: 'memory_process_mb',
    group: 'memory',
    gauges: ['memory'],
    span: 'now',
    says: 'resident memory of the process and its descendants, shared pages counted once',
    value: ({ processMemoryBytes }) => processMemoryBytes / megabyte,
    why: ended,
  },
  {
    name: 'disk_read_mb',
    group: 'io',
    gauges: ['io'],
    span: 'since last look',
    says: 'read from storage by the process and its descendants since the last look',
    value: (now, then) => grown(now.readBytes, then.readBytes) / megabyte,
    why: unreadIo,
  },
  {
    name: 'disk_write_mb',
    group: 'io',
    gauges: ['io'],
    span: 'since last look',
    says: 'written to storage by the process and its descendants since the last look',
    value: (now, then) => grown(now.writeBytes, then.writeBytes) / megabyte,
    why: unreadIo,
  },
  {
    name: 'io_read_rate_mbps',
    group: 'io',
    gauges: ['io'],
    span: 'rate',
    says: 'the same for each second of the time since',
    value: (now, then) => grown(now.readBytes, then.readBytes) / megabyte / seconds(now, then),
    why: unreadIo,
  },
  {
    name: 'io_write_rate_mbps',
    group: 'io',
    gauges: ['io'],
    span: 'rate',
    says: 'the same for each second of the time since',
    value: (now, then) => grown(now.writeBytes, then.writeBytes) / megabyte / seconds(now, then),
    why: unreadIo,
  },
  {
    name: 'io_wait_pct',
    group: 'io',
    gauges: ['cpu', 'io', 'machine'],
    span: 'rate',
    says: 'share of the time that was spent waiting for disks; `basis` says whose waiting it is',
    value: (now, then) => ioWaitPercent(now, then, ioWaitBasis(now)),
    why: 'the kernel has neither delay accounting nor pressure accounting, and /proc/stat could not be read',
  },
]

/** Who waited for disks, from the closest account to the coarsest. */
export type IoWaitBasis = 'processes' | 'pressure' | 'iowait'

export const ioWaitWords: Readonly<Record<IoWaitBasis, string>> = {
  processes:
    'delay accounting: of the time in which the processes were at work or waited, the share that they waited for block I/O',
  pressure:
    'the whole machine: time in which some task waited for I/O (/proc/pressure/io); sysctl kernel.task_delayacct=1 would tell it of the processes',
  iowait:
    'the whole machine: time that cores were idle while something waited for I/O (/proc/stat)',
}

export function ioWaitBasis(now: LiveLook): IoWaitBasis | null {
  if (!Number.isNaN(now.ioDelaySeconds)) return 'processes'
  if (!Number.isNaN(now.machineIoPressureSeconds)) return 'pressure'
  return Number.isNaN(now.machineIoWaitSeconds) ? null : 'iowait'
}

function ioWaitPercent(now: LiveLook, then: LiveLook, basis: IoWaitBasis | null): number {
  if (basis === 'processes')
    return diskWaitPercent(
      grown(now.ioDelaySeconds, then.ioDelaySeconds),
      grown(now.processCpuSeconds, then.processCpuSeconds),
      seconds(now, then),
    )
  if (basis === 'pressure')
    return sharePercent(
      grown(now.machineIoPressureSeconds, then.machineIoPressureSeconds),
      seconds(now, then),
    )
  if (basis === null) return NaN
  return sharePercent(
    grown(now.machineIoWaitSeconds, then.machineIoWaitSeconds),
    allSeconds(now, then),
  )
}

const seconds = (now: LiveLook, then: LiveLook): number => now.elapsedSeconds - then.elapsedSeconds

const busySeconds = (now: LiveLook, then: LiveLook): number =>
  grown(now.machineBusySeconds, then.machineBusySeconds)

/** Of all cores together, as the machine itself counted them. */
const allSeconds = (now: LiveLook, then: LiveLook): number =>
  busySeconds(now, then) +
  grown(now.machineIdleSeconds, then.machineIdleSeconds) +
  grown(now.machineIoWaitSeconds, then.machineIoWaitSeconds)

/** A counter of the machine may step back a little: the kernel adds up its idle time anew at each reading. */
const grown = (now: number, then: number): number => Math.max(0, now - then)
