import type { HostExtent, Neighbours } from '../../model/observed.ts'
import { number, numberOrNull, scaled, text } from '../sqlite/row.ts'
import { firstOf, rowsOf, type Asking } from './asking.ts'
import { hourMs } from './buckets.ts'
import type { NodeDialect } from './dialect.ts'
import type { Dictionary } from './names.ts'

/** Hours outlive rounds, which are more exact: one that began within the first hour tells when that was. */
const extentSql = `
  SELECT host.name AS host,
    coalesce((SELECT min(at_ms - span_ms) FROM round
      WHERE host_id = host.id AND at_ms <= hours.first + ${hourMs}), hours.first) AS first,
    coalesce((SELECT max(at_ms) FROM round WHERE host_id = host.id), hours.last + ${hourMs}) AS last
  FROM (SELECT host_id, min(at_ms) AS first, max(at_ms) AS last FROM node_hour GROUP BY host_id)
    AS hours
  JOIN host ON host.id = hours.host_id
  ORDER BY host.name`

export const readExtents = (): Asking<HostExtent[]> =>
  rowsOf(extentSql, [], (row) => ({
    host: text(row, 'host'),
    first: number(row, 'first') / 1e3,
    last: number(row, 'last') / 1e3,
  }))

/** The beginning of the first hour that is kept and the end of the last; undefined where there is none. */
export function* readHours(): Asking<{ from: number; to: number } | undefined> {
  const edge = (which: 'min' | 'max'): Asking<number | null | undefined> =>
    firstOf(`SELECT ${which}(at_ms) AS edge FROM node_hour`, [], (row) => numberOrNull(row, 'edge'))
  const [first, last] = [yield* edge('min'), yield* edge('max')]
  if (typeof first !== 'number' || typeof last !== 'number') return undefined
  return { from: first / 1e3, to: (last + hourMs) / 1e3 }
}

/** Of these hosts, or of any if none is named. */
export function* readNeighbours(
  from: number,
  to: number,
  hosts: readonly string[],
): Asking<Neighbours> {
  const ofHosts = hostCondition(hosts)
  const sql = `
    WITH asked (low, high) AS (VALUES (CAST(? AS BIGINT), CAST(? AS BIGINT)))
    SELECT (SELECT max(last) FROM (
        SELECT max(at_ms) AS last FROM round, asked WHERE at_ms <= low ${ofHosts}
        UNION ALL SELECT max(at_ms) + ${hourMs} FROM node_hour, asked
        WHERE at_ms + ${hourMs} <= low ${ofHosts}) AS earlier) AS before,
      (SELECT min(first) FROM (
        SELECT min(at_ms - span_ms) AS first FROM round, asked
        WHERE at_ms - span_ms >= high ${ofHosts}
        UNION ALL SELECT min(at_ms) FROM node_hour, asked
        WHERE at_ms >= high ${ofHosts} AND at_ms < coalesce((SELECT min(at_ms) FROM round), at_ms + 1))
        AS later) AS after`
  const named = [hosts, hosts, hosts, hosts].flat()
  const values = [Math.round(from * 1e3), Math.round(to * 1e3), ...named]
  const found = yield* firstOf(sql, values, (row) => ({
    before: scaled(row, 'before', 1e-3),
    after: scaled(row, 'after', 1e-3),
  }))
  return found ?? { before: null, after: null }
}

const hostCondition = (hosts: readonly string[]): string =>
  hosts.length === 0
    ? ''
    : `AND host_id IN (SELECT id FROM host WHERE name IN (${hosts.map(() => '?').join(', ')}))`

const firstRound = '(SELECT min(at_ms) FROM round)'

/** Single rounds tell exactly; of the time before the first that is kept, hours do. */
export function* readWasLooked(
  { least }: NodeDialect,
  from: number,
  to: number,
  hosts: readonly string[],
): Asking<boolean> {
  const ofHosts = hostCondition(hosts)
  const sql = `
    WITH asked (low, high) AS (VALUES (CAST(? AS BIGINT), CAST(? AS BIGINT)))
    SELECT EXISTS (SELECT 1 FROM round, asked
        WHERE at_ms > low AND at_ms - span_ms < high ${ofHosts})
      OR EXISTS (SELECT 1 FROM node_hour, asked
        WHERE at_ms + ${hourMs} > low AND at_ms < ${least('high', `coalesce(${firstRound} - ${hourMs}, high)`)}
        ${ofHosts}) AS looked`
  const values = [Math.round(from * 1e3), Math.round(to * 1e3), ...hosts, ...hosts]
  return (yield* firstOf(sql, values, (row) => number(row, 'looked'))) === 1
}

export const readNames = (dictionary: Dictionary): Asking<string[]> =>
  rowsOf(`SELECT name FROM "${dictionary}" WHERE name <> '' ORDER BY name`, [], (row) =>
    text(row, 'name'),
  )
