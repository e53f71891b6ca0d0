import { deviceKinds } from '../../model/node-round.ts'
import type { DeviceFigures, DeviceState, NodeFigures, NodeState } from '../../model/node-state.ts'
import { MalformedRow } from '../errors.ts'
import { number, numberOrNull, scaled, text, textOrNull, type Row } from '../sqlite/row.ts'
import { rowsOf, type Asking } from './asking.ts'
import { fiveMinutesMs } from './buckets.ts'
import type { NodeDialect } from './dialect.ts'

/** Of which time the peaks are, in seconds since 1970, and of which hosts; none named are all. */
export interface StateQuery {
  readonly from: number
  readonly to: number
  readonly hosts?: readonly string[]
}

/** Of so many hosts, or of all if none is named. */
const latestRounds = ({ latestRoundMs }: NodeDialect, named: number): string => `
  SELECT round.*, host.name AS host FROM host
  JOIN round ON round.host_id = host.id AND round.at_ms = ${latestRoundMs('host.id')}
  ${named === 0 ? '' : `WHERE host.name IN (${Array(named).fill('?').join(', ')})`}
  ORDER BY host.name`

/**
 * The share of time that a core was busy is never above 1, but ticks come late. An OR is no range: without the last line
 * every round of the host would be read.
 */
const coreSql = ({ least, greatest, cores }: NodeDialect, places: string): string => {
  const share = least('1.0', 'value / 1e3 / span_ms')
  return `
  WITH place (host_id, latest_ms) AS (VALUES ${places})
  SELECT place.host_id, key AS core, max(CASE WHEN at_ms = latest_ms THEN ${share} END) AS latest,
    max(${share}) AS peak
  FROM place JOIN round ON round.host_id = place.host_id ${cores}
  WHERE span_ms > 0 AND (at_ms = latest_ms OR (at_ms > ?1 AND at_ms <= ?2))
    AND at_ms BETWEEN ${least('CAST(?1 AS BIGINT)', 'latest_ms')}
      AND ${greatest('CAST(?2 AS BIGINT)', 'latest_ms')}
  GROUP BY place.host_id, key ORDER BY place.host_id, key`
}

const peakSql = (hostIds: string): string => `
  SELECT host_id, 1000 AS span_ms, max(cpu_peak_millicores) * 1000 AS cpu_us,
    max(load_milli) AS load_milli, max(memory_peak_kib) AS memory_peak_kib,
    max(swap_kib) AS swap_kib,
    max(CAST(io_wait_us AS DOUBLE PRECISION) * 1e3 / span_ms) AS io_wait_us,
    max(processes_peak) AS processes_peak, max(threads_peak) AS threads_peak,
    max(zombies_peak) AS zombies_peak
  FROM round WHERE host_id IN (${hostIds}) AND at_ms > ? AND at_ms <= ? AND span_ms > 0
  GROUP BY host_id`

const deviceSql = (hostIds: string): string => `
  SELECT host_id, kind, name, latest.at_ms, latest.span_ms,
    latest.in_peak_bytes_per_second AS in_now, latest.out_peak_bytes_per_second AS out_now,
    latest.busy_peak_millionths AS busy_now, latest.power_peak_mw AS power_now,
    latest.memory_peak_kib AS memory_now, coalesce(five.buckets, 0) AS buckets,
    five.in_peak, five.out_peak, five.busy_peak, five.power_peak, five.memory_peak
  FROM device JOIN device_latest AS latest ON latest.device_id = device.id
  LEFT JOIN (
    SELECT device_id, count(*) AS buckets, max(in_peak_bytes_per_second) AS in_peak,
      max(out_peak_bytes_per_second) AS out_peak, max(busy_peak_millionths) AS busy_peak,
      max(power_peak_mw) AS power_peak, max(memory_peak_kib) AS memory_peak
    FROM device_5m WHERE device_id IN (SELECT id FROM device WHERE host_id IN (${hostIds}))
      AND at_ms > CAST(? AS BIGINT) - ${fiveMinutesMs} AND at_ms <= ?
    GROUP BY device_id) AS five ON five.device_id = device.id
  WHERE host_id IN (${hostIds}) ORDER BY kind, name`

/** How nodes were at their last round, and the most that they had in a stretch of time. */
export function* readStates(dialect: NodeDialect, query: StateQuery): Asking<NodeState[]> {
  const { hosts = [] } = query
  const latest = yield* rowsOf(latestRounds(dialect, hosts.length), hosts, latestOf)
  if (latest.length === 0) return []
  const hostIds = latest.map(({ hostId }) => hostId).join(', ')
  const places = latest.map(({ hostId, atMs }) => `(${hostId}, ${atMs})`).join(', ')
  const between = [Math.round(query.from * 1e3), Math.round(query.to * 1e3)]
  const peaks = yield* ofHosts(peakSql(hostIds), between, figuresOf)
  const cores = yield* ofHosts(coreSql(dialect, places), between, (core) => ({
    latest: numberOrNull(core, 'latest') ?? 0,
    peak: numberOrNull(core, 'peak') ?? 0,
  }))
  const lastMs = new Map(latest.map(({ hostId, atMs }) => [hostId, atMs]))
  const devices = yield* ofHosts(deviceSql(hostIds), between, (row) =>
    deviceOf(row, lastMs.get(number(row, 'host_id')) ?? 0),
  )
  return latest.map(({ hostId, facts }) => ({
    ...facts,
    peak: peaks.get(hostId)?.[0] ?? null,
    coreShares: cores.get(hostId) ?? [],
    devices: devices.get(hostId) ?? [],
  }))
}

/** What is made of rows, by the host that each is of. */
function* ofHosts<T>(
  sql: string,
  values: readonly number[],
  make: (row: Row) => T,
): Asking<ReadonlyMap<number, readonly T[]>> {
  const found = yield* rowsOf(sql, values, (row) => ({
    hostId: number(row, 'host_id'),
    made: make(row),
  }))
  const byHost = Map.groupBy(found, ({ hostId }) => hostId)
  return new Map([...byHost].map(([hostId, rows]) => [hostId, rows.map(({ made }) => made)]))
}

interface Latest {
  readonly hostId: number
  readonly atMs: number
  readonly facts: Omit<NodeState, 'peak' | 'coreShares' | 'devices'>
}

function latestOf(row: Row): Latest {
  const atMs = number(row, 'at_ms')
  const bytes = (column: string): number | null => scaled(row, column, 1024)
  return {
    hostId: number(row, 'host_id'),
    atMs,
    facts: {
      host: text(row, 'host'),
      epoch: textOrNull(row, 'epoch'),
      at: atMs / 1e3,
      seconds: number(row, 'span_ms') / 1e3,
      cores: numberOrNull(row, 'cores'),
      memoryTotalBytes: bytes('memory_total_kib'),
      gpus: numberOrNull(row, 'gpus'),
      gpuMemoryTotalBytes: bytes('gpu_memory_total_kib'),
      latest: figuresOf(row),
    },
  }
}

function figuresOf(row: Row): NodeFigures {
  const span = number(row, 'span_ms')
  return {
    busyCores: span > 0 ? scaled(row, 'cpu_us', 1 / 1e3 / span) : null,
    load: scaled(row, 'load_milli', 1e-3),
    memoryBytes: scaled(row, 'memory_peak_kib', 1024),
    swapBytes: scaled(row, 'swap_kib', 1024),
    ioWaitCores: span > 0 ? scaled(row, 'io_wait_us', 1 / 1e3 / span) : null,
    processes: numberOrNull(row, 'processes_peak'),
    threads: numberOrNull(row, 'threads_peak'),
    zombies: numberOrNull(row, 'zombies_peak'),
  }
}

function deviceOf(row: Row, lastRoundMs: number): DeviceState {
  const found = text(row, 'kind')
  const kind = deviceKinds.find((one) => one === found)
  if (kind === undefined) throw new MalformedRow('column kind holds an invalid value')
  const figures = (when: 'now' | 'peak'): DeviceFigures => ({
    inBytesPerSecond: numberOrNull(row, `in_${when}`),
    outBytesPerSecond: numberOrNull(row, `out_${when}`),
    busyShare: scaled(row, `busy_${when}`, 1e-6),
    watts: scaled(row, `power_${when}`, 1e-3),
    memoryBytes: scaled(row, `memory_${when}`, 1024),
  })
  return {
    kind,
    name: text(row, 'name'),
    isThere: number(row, 'at_ms') === lastRoundMs,
    latest: figures('now'),
    peak: number(row, 'buckets') > 0 ? figures('peak') : null,
  }
}
