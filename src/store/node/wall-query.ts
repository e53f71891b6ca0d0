import type { HostLevels, NodeWall, WalledHost } from '../../model/node-curve.ts'
import { number, numberOrNull, scaled, text, type Row } from '../sqlite/row.ts'
import { rowsOf, type Asking } from './asking.ts'
import { fiveMinutesMs, hourMs } from './buckets.ts'
import type { NodeDialect } from './dialect.ts'

/** Between which moments, in seconds since 1970, in how many steps, and of which hosts; none named are all. */
export interface WallQuery {
  readonly from: number
  readonly to: number
  readonly steps: number
  readonly hosts?: readonly string[]
  /** How many hosts at most. */
  readonly limit?: number
}

/** Five minutes are not kept as long as hours, and so many of them take long to read. */
const longestFineMs = 3 * 24 * hourMs

/** Of many hosts each chart is small, and an answer of megabytes is read by nobody. */
const mostValues = 20_000
const leastSteps = 24

const named = (hosts: readonly string[]): string =>
  hosts.length === 0 ? '' : `WHERE host.name IN (${hosts.map(() => '?').join(', ')})`

const latestSql = ({ latestRoundMs }: NodeDialect, { hosts = [], limit }: WallQuery): string => `
  SELECT round.*, host.name AS host FROM host
  JOIN round ON round.host_id = host.id AND round.at_ms = ${latestRoundMs('host.id')}
  ${named(hosts)} ORDER BY host.name ${limit === undefined ? '' : `LIMIT ${limit}`}`

const stepSql = (table: string): string => `
  SELECT host_id, CAST((at_ms - ?1) / ?3 AS INTEGER) AS step, sum(span_ms) AS span_ms, sum(cpu_us) AS cpu_us,
    sum(memory_kib_ms) AS memory_kib_ms, sum(gpu_us) AS gpu_us
  FROM ${table} WHERE at_ms >= ?1 AND at_ms < ?2 GROUP BY host_id, step`

/** A look at one round of each step: reading all of them would take a hundred times as long. */
const loadSql = (places: readonly Place[], stepMs: number): string => `
  WITH place (host_id, step, from_ms) AS (VALUES ${places.map((place) => `(${place.join(', ')})`).join(', ')})
  SELECT host_id, step, (SELECT load_milli FROM round
    WHERE round.host_id = place.host_id AND at_ms > from_ms AND at_ms <= from_ms + ${stepMs}
    ORDER BY at_ms DESC LIMIT 1) AS load_milli
  FROM place`

type Place = readonly [hostId: number, step: number, fromMs: number]

/** Many hosts over the same steps of time, for a wall of small charts. */
export function* readWall(dialect: NodeDialect, query: WallQuery): Asking<NodeWall> {
  const { hosts: names = [] } = query
  const latest = yield* rowsOf(latestSql(dialect, query), names, latestOf)
  const roundMs = Math.max(0, ...latest.map(({ facts }) => facts.seconds * 1e3))
  const grid = gridOf(query, Math.max(1, latest.length), roundMs)
  const steps = new Map<number, Map<number, HostLevels>>()
  const { fromMs, stepMs, table } = grid
  const between = [fromMs, fromMs + grid.count * stepMs, stepMs]
  const found = yield* rowsOf(stepSql(table), between, (row) => ({
    hostId: number(row, 'host_id'),
    step: number(row, 'step'),
    means: meansOf(row),
  }))
  for (const { hostId, step, means } of found) {
    const known = steps.get(hostId) ?? new Map<number, HostLevels>()
    steps.set(hostId, known.set(step, means))
  }
  const loads = yield* loadsOf(latest, grid, steps)
  const loadOf = (hostId: number, step: number): number | null =>
    loads.get(`${hostId} ${step}`) ?? null
  return {
    from: fromMs / 1e3,
    stepSeconds: stepMs / 1e3,
    hosts: latest.map((one) => hostOf(one, grid.count, steps.get(one.hostId) ?? new Map(), loadOf)),
  }
}

/** By host and step, of those of which anything is known. */
function* loadsOf(
  latest: readonly Latest[],
  { fromMs, stepMs }: Grid,
  steps: ReadonlyMap<number, ReadonlyMap<number, HostLevels>>,
): Asking<ReadonlyMap<string, number | null>> {
  const places = latest.flatMap(({ hostId }): Place[] =>
    [...(steps.get(hostId)?.keys() ?? [])].map((step) => [hostId, step, fromMs + step * stepMs]),
  )
  if (places.length === 0) return new Map()
  const found = yield* rowsOf(
    loadSql(places, stepMs),
    [],
    (row) =>
      [
        `${number(row, 'host_id')} ${number(row, 'step')}`,
        scaled(row, 'load_milli', 1e-3),
      ] as const,
  )
  return new Map(found)
}

interface Grid {
  readonly fromMs: number
  readonly stepMs: number
  readonly count: number
  readonly table: 'node_5m' | 'node_hour'
}

/** Steps of whole buckets, the last of which is the one that `to` lies in. */
function gridOf({ from, to, steps: wanted }: WallQuery, hosts: number, roundMs: number): Grid {
  const steps = Math.min(wanted, Math.max(leastSteps, Math.floor(mostValues / hosts)))
  const spanMs = Math.max(1, (to - from) * 1e3)
  const isFine = spanMs <= longestFineMs
  const bucketMs = isFine ? fiveMinutesMs : hourMs
  // In steps shorter than rounds every other one would be a gap.
  const leastMs = Math.min(roundMs, hourMs)
  const stepMs = bucketMs * Math.max(1, Math.ceil(Math.max(spanMs / steps, leastMs) / bucketMs))
  const endMs = Math.ceil((to * 1e3) / bucketMs) * bucketMs
  const count = Math.max(1, Math.ceil(spanMs / stepMs))
  return { fromMs: endMs - count * stepMs, stepMs, count, table: isFine ? 'node_5m' : 'node_hour' }
}

type Facts = Omit<WalledHost, 'busyCores' | 'memoryBytes' | 'busyGpus' | 'load'>

interface Latest {
  readonly hostId: number
  readonly facts: Facts
}

const latestOf = (row: Row): Latest => ({
  hostId: number(row, 'host_id'),
  facts: {
    host: text(row, 'host'),
    at: number(row, 'at_ms') / 1e3,
    seconds: number(row, 'span_ms') / 1e3,
    cores: numberOrNull(row, 'cores'),
    memoryTotalBytes: scaled(row, 'memory_total_kib', 1024),
    gpus: numberOrNull(row, 'gpus'),
    latest: { ...meansOf(row), load: scaled(row, 'load_milli', 1e-3) },
  },
})

function hostOf(
  { hostId, facts }: Latest,
  count: number,
  steps: ReadonlyMap<number, HostLevels>,
  loadOf: (hostId: number, step: number) => number | null,
): WalledHost {
  const curve = (of: (levels: HostLevels) => number | null): (number | null)[] =>
    Array.from({ length: count }, (_, step) => {
      const found = steps.get(step)
      return found === undefined ? null : of(found)
    })
  return {
    ...facts,
    busyCores: curve(({ busyCores }) => busyCores),
    memoryBytes: curve(({ memoryBytes }) => memoryBytes),
    busyGpus: curve(({ busyGpus }) => busyGpus),
    load: Array.from({ length: count }, (_, step) => loadOf(hostId, step)),
  }
}

function meansOf(row: Row): HostLevels {
  const spanMs = number(row, 'span_ms')
  const mean = (column: string, factor: number): number | null =>
    spanMs > 0 ? scaled(row, column, factor / spanMs) : null
  return {
    busyCores: mean('cpu_us', 1e-3),
    memoryBytes: mean('memory_kib_ms', 1024),
    busyGpus: mean('gpu_us', 1e-3),
    load: null,
  }
}
