import { jobKinds, type JobKind, type Reservation } from '../../model/node-round.ts'
import type { SeenJob } from '../../model/seen-job.ts'
import { MalformedRow } from '../errors.ts'
import { number, numberOrNull, scaled, text, textOrNull, type Row } from '../sqlite/row.ts'

export function seenJobOf(row: Row): SeenJob {
  const span = number(row, 'span_ms')
  const mean = (column: string): number | null =>
    span > 0 ? scaled(row, column, 1024 / span) : null
  return {
    rowId: number(row, 'id'),
    host: text(row, 'host'),
    epoch: text(row, 'epoch'),
    kind: kindIn(row),
    id: text(row, 'key'),
    user: text(row, 'user'),
    account: textOrNull(row, 'account') || null,
    command: text(row, 'command'),
    pid: numberOrNull(row, 'pid'),
    startedAt: scaled(row, 'started_ms', 1e-3),
    firstSeen: number(row, 'first_ms') / 1e3,
    lastSeen: number(row, 'last_ms') / 1e3,
    seenSeconds: span / 1e3,
    gpus: numberOrNull(row, 'gpus'),
    reservation: reservationIn(row),
    scheduled: {
      name: textOrNull(row, 'name'),
      shownId: textOrNull(row, 'shown_id'),
      restarts: numberOrNull(row, 'restarts'),
    },
    cpuSeconds: scaled(row, 'cpu_us', 1e-6),
    readBytes: numberOrNull(row, 'read_bytes'),
    writeBytes: numberOrNull(row, 'write_bytes'),
    gpuSeconds: scaled(row, 'gpu_us', 1e-6),
    joules: scaled(row, 'energy_mj', 1e-3),
    memoryMeanBytes: mean('memory_kib_ms'),
    memoryPeakBytes: scaled(row, 'memory_peak_kib', 1024),
    gpuMemoryMeanBytes: mean('gpu_memory_kib_ms'),
    gpuMemoryPeakBytes: scaled(row, 'gpu_memory_peak_kib', 1024),
    cpuPeakCores: scaled(row, 'cpu_peak_millicores', 1e-3),
    processesPeak: numberOrNull(row, 'processes_peak'),
    threadsPeak: numberOrNull(row, 'threads_peak'),
    zombiesPeak: numberOrNull(row, 'zombies_peak'),
    isRunning: number(row, 'is_running') === 1,
    nodeCores: numberOrNull(row, 'node_cores'),
    nodeMemoryBytes: scaled(row, 'node_memory_kib', 1024),
    nodeGpus: numberOrNull(row, 'node_gpus'),
  }
}

export function kindIn(row: Row): JobKind {
  const found = text(row, 'kind')
  const kind = jobKinds.find((one) => one === found)
  if (kind === undefined) throw new MalformedRow('column kind holds an invalid value')
  return kind
}

const sources: readonly Reservation['source'][] = ['slurm', 'container', 'jobmeter', 'implied']

export function reservationIn(row: Row): Reservation | null {
  const said = textOrNull(row, 'asked_by')
  const source = sources.find((one) => one === said)
  if (source === undefined) return null
  const memoryKib = numberOrNull(row, 'asked_memory_kib')
  return {
    cpus: numberOrNull(row, 'asked_cpus'),
    memoryBytes: memoryKib === null ? null : memoryKib * 1024,
    gpus: numberOrNull(row, 'asked_gpus'),
    runtimeSeconds: numberOrNull(row, 'asked_seconds'),
    source,
  }
}
