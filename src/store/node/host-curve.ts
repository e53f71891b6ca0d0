import { deviceKinds } from '../../model/node-round.ts'
import type { DeviceCurve, DeviceRound, HostCurve, HostRound } from '../../model/node-curve.ts'
import { MalformedRow } from '../errors.ts'
import { number, numberOrNull, scaled, text, type Row } from '../sqlite/row.ts'
import { firstOf, rowsOf, type Asking } from './asking.ts'
import { fiveMinutesMs, hourMs } from './buckets.ts'

/** One host between two moments, in seconds since 1970. */
export interface HostCurveQuery {
  readonly host: string
  readonly from: number
  readonly to: number
}

const dayMs = 24 * hourMs

/** From the finest on, with how much time of it is read at once. Devices have no rounds. */
const tables = [
  {
    kind: 'rounds',
    ofNode: 'round',
    endsMs: 0,
    mostMs: 2 * dayMs,
    ofDevice: 'device_5m',
    deviceMs: fiveMinutesMs,
  },
  {
    kind: 'five minutes',
    ofNode: 'node_5m',
    endsMs: fiveMinutesMs,
    mostMs: 15 * dayMs,
    ofDevice: 'device_5m',
    deviceMs: fiveMinutesMs,
  },
  {
    kind: 'hours',
    ofNode: 'node_hour',
    endsMs: hourMs,
    mostMs: Infinity,
    ofDevice: 'device_hour',
    deviceMs: hourMs,
  },
] as const

/** What a host did over time, as finely as the beginning of that time is still known. */
export function* readHostCurve(query: HostCurveQuery): Asking<HostCurve> {
  const [fromMs, toMs] = [Math.round(query.from * 1e3), Math.round(query.to * 1e3)]
  const findHost = 'SELECT id FROM host WHERE name = ?'
  const hostId = yield* firstOf(findHost, [query.host], (row) => number(row, 'id'))
  if (hostId === undefined) return { kind: 'rounds', rounds: [], devices: [] }
  const table = yield* tableFor(hostId, fromMs, toMs)
  const { kind, ofNode, endsMs, ofDevice, deviceMs } = table
  const nodeSql = `SELECT * FROM ${ofNode}
    WHERE host_id = ? AND at_ms > ? AND at_ms <= ? ORDER BY at_ms`
  return {
    kind,
    rounds: yield* rowsOf(nodeSql, [hostId, fromMs - endsMs, toMs], (row) =>
      roundOf(row, kind === 'rounds', endsMs),
    ),
    devices: yield* devicesOf(ofDevice, deviceMs, [hostId, fromMs - deviceMs, toMs]),
  }
}

/** The finest that is not too much, and begins no later than what is coarse. */
function* tableFor(hostId: number, fromMs: number, toMs: number): Asking<(typeof tables)[number]> {
  const oldest = yield* firstMs('node_hour', hostId, fromMs - hourMs)
  for (const table of tables) {
    if (toMs - fromMs > table.mostMs) continue
    if (oldest === null) return table
    const first = yield* firstMs(table.ofNode, hostId, fromMs - table.endsMs)
    if (first !== null && first < Math.max(oldest, fromMs) + hourMs + table.endsMs) return table
  }
  return tables[2]
}

function* firstMs(table: string, hostId: number, afterMs: number): Asking<number | null> {
  const sql = `SELECT min(at_ms) AS at_ms FROM ${table} WHERE host_id = ? AND at_ms > ?`
  return (yield* firstOf(sql, [hostId, afterMs], (row) => numberOrNull(row, 'at_ms'))) ?? null
}

function roundOf(row: Row, isRound: boolean, endsMs: number): HostRound {
  const spanMs = number(row, 'span_ms')
  const mean = (column: string, factor: number): number | null =>
    spanMs > 0 ? scaled(row, column, factor / spanMs) : null
  const only = (value: () => number | null): number | null => (isRound ? value() : null)
  const room = (ofRound: string, ofBucket: string, factor: number): number | null =>
    isRound ? scaled(row, ofRound, factor) : mean(ofBucket, factor)
  return {
    to: (number(row, 'at_ms') + endsMs) / 1e3,
    seconds: spanMs / 1e3,
    cores: room('cores', 'core_ms', 1),
    memoryTotalBytes: room('memory_total_kib', 'memory_total_kib_ms', 1024),
    gpus: room('gpus', 'gpu_ms', 1),
    gpuMemoryTotalBytes: room('gpu_memory_total_kib', 'gpu_memory_total_kib_ms', 1024),
    busyCores: mean('cpu_us', 1e-3),
    memoryBytes: mean('memory_kib_ms', 1024),
    busyGpus: mean('gpu_us', 1e-3),
    gpuMemoryBytes: mean('gpu_memory_kib_ms', 1024),
    load: only(() => scaled(row, 'load_milli', 1e-3)),
    swapBytes: only(() => scaled(row, 'swap_kib', 1024)),
    ioWaitCores: only(() => mean('io_wait_us', 1e-3)),
    processes: numberOrNull(row, 'processes_peak'),
    threads: numberOrNull(row, 'threads_peak'),
  }
}

function* devicesOf(
  table: string,
  endsMs: number,
  between: readonly [hostId: number, fromMs: number, toMs: number],
): Asking<DeviceCurve[]> {
  const sql = `SELECT device.kind, device.name, part.* FROM device
    JOIN ${table} AS part ON part.device_id = device.id
    WHERE device.host_id = ? AND part.at_ms > ? AND part.at_ms <= ?
    ORDER BY device.kind, device.name, part.at_ms`
  const found = yield* rowsOf(sql, between, (row) => ({
    kind: text(row, 'kind'),
    name: text(row, 'name'),
    round: deviceRoundOf(row, endsMs),
  }))
  const byDevice = Map.groupBy(found, ({ kind, name }) => `${kind} ${name}`)
  return [...byDevice.values()].map((rows) => {
    const kind = deviceKinds.find((one) => one === rows[0]?.kind)
    if (kind === undefined) throw new MalformedRow('column kind holds an invalid value')
    return { kind, name: rows[0]?.name ?? '', rounds: rows.map(({ round }) => round) }
  })
}

function deviceRoundOf(row: Row, endsMs: number): DeviceRound {
  const spanMs = number(row, 'span_ms')
  const mean = (column: string, factor: number): number | null =>
    spanMs > 0 ? scaled(row, column, factor / spanMs) : null
  return {
    to: (number(row, 'at_ms') + endsMs) / 1e3,
    seconds: spanMs / 1e3,
    inBytesPerSecond: mean('in_bytes', 1e3),
    outBytesPerSecond: mean('out_bytes', 1e3),
    busyShare: mean('busy_us', 1e-3),
    watts: mean('energy_mj', 1),
    memoryBytes: scaled(row, 'memory_peak_kib', 1024),
  }
}
