import type { Boot, SeenStretch } from '../../model/seen-stretch.ts'
import { number, text, textOrNull } from '../sqlite/row.ts'
import { rowsOf, type Asking } from './asking.ts'
import { fiveMinutesMs, hourMs } from './buckets.ts'
import type { NodeDialect } from './dialect.ts'

/** A hole of less is a matter of rounding. */
const slackMs = 1000

/** Single rounds that follow one another as one row: 50 nodes have a million rounds in a fortnight. */
type RoundParts = (ofHost: string) => string

/** Those that do not follow the round before are looked for, and the others counted. */
const byLookingBack: RoundParts = (ofHost) => `
  SELECT begins.host_id, begins.from_ms, max(round.at_ms) AS to_ms, begins.epoch, count(*) AS rounds
  FROM (
    SELECT host_id, at_ms, at_ms - span_ms AS from_ms, epoch,
      lead(at_ms, 1, 9000000000000000) OVER (PARTITION BY host_id ORDER BY at_ms) AS next_ms
    FROM round WHERE at_ms > ?1 AND at_ms - span_ms < ?2 ${ofHost} AND NOT coalesce((
      SELECT earlier.epoch = round.epoch
        AND abs(round.at_ms - round.span_ms - earlier.at_ms) <= ${slackMs}
      FROM round AS earlier
      WHERE earlier.host_id = round.host_id AND earlier.at_ms < round.at_ms AND earlier.at_ms > ?1
      ORDER BY earlier.at_ms DESC LIMIT 1), FALSE)
  ) AS begins
  JOIN round ON round.host_id = begins.host_id
    AND round.at_ms >= begins.at_ms AND round.at_ms < begins.next_ms
  WHERE round.at_ms - round.span_ms < ?2
  GROUP BY begins.host_id, begins.at_ms, begins.from_ms, begins.epoch`

/** All rounds are gone through once, in their order. */
const byGoingThrough: RoundParts = (ofHost) => `
  SELECT host_id, min(CASE WHEN begins = 1 THEN from_ms END) AS from_ms, max(at_ms) AS to_ms, epoch,
    count(*) AS rounds
  FROM (SELECT *, sum(begins) OVER (PARTITION BY host_id ORDER BY at_ms) AS stretch
    FROM (SELECT host_id, at_ms, at_ms - span_ms AS from_ms, epoch, CASE
        WHEN lag(epoch) OVER earlier = epoch
          AND abs(at_ms - span_ms - lag(at_ms) OVER earlier) <= ${slackMs} THEN 0 ELSE 1 END AS begins
      FROM round WHERE at_ms > ?1 AND at_ms - span_ms < ?2 ${ofHost}
      WINDOW earlier AS (PARTITION BY host_id ORDER BY at_ms)) AS marked) AS numbered
  GROUP BY host_id, stretch, epoch`

/**
 * Rounds as long as they are kept, and roll-ups of the time before. Of a roll-up only its length is known, not where in its
 * bucket it lies: it is taken to end with it.
 */
const sqlOf = (roundParts: RoundParts, ofHost: string): string => `
  WITH first_round AS (SELECT host_id, min(at_ms - span_ms) AS at_ms FROM round WHERE TRUE ${ofHost} GROUP BY host_id),
  first_5m AS (SELECT host_id, min(at_ms) AS at_ms FROM node_5m WHERE TRUE ${ofHost} GROUP BY host_id),
  parts AS (
    SELECT * FROM (${roundParts(ofHost)}) AS of_rounds
    UNION ALL
    SELECT node_5m.host_id, node_5m.at_ms + ${fiveMinutesMs} - span_ms, node_5m.at_ms + ${fiveMinutesMs}, NULL, 1
    FROM node_5m LEFT JOIN first_round USING (host_id)
    WHERE node_5m.at_ms + ${fiveMinutesMs} <= coalesce(first_round.at_ms, node_5m.at_ms + ${fiveMinutesMs}) ${ofHost}
    UNION ALL
    SELECT node_hour.host_id, node_hour.at_ms + ${hourMs} - span_ms, node_hour.at_ms + ${hourMs}, NULL, 1
    FROM node_hour LEFT JOIN first_round USING (host_id) LEFT JOIN first_5m USING (host_id)
    WHERE node_hour.at_ms + ${hourMs} <= coalesce(first_5m.at_ms, first_round.at_ms, node_hour.at_ms + ${hourMs}) ${ofHost}
  )
  SELECT host.name AS host, from_ms, to_ms, epoch, rounds FROM parts JOIN host ON host.id = host_id
  WHERE to_ms > ?1 AND from_ms < ?2 ORDER BY host.name, to_ms`

const ofOne = 'AND host_id = (SELECT id FROM host WHERE name = ?3)'

export function* readStretches(
  { windowsAreFast }: NodeDialect,
  from: number,
  to: number,
  host?: string,
): Asking<SeenStretch[]> {
  const between = [Math.round(from * 1e3), Math.round(to * 1e3)]
  const roundParts = windowsAreFast ? byGoingThrough : byLookingBack
  const asked = sqlOf(roundParts, host === undefined ? '' : ofOne)
  const values = host === undefined ? between : [...between, host]
  const parts = yield* rowsOf(asked, values, (row) => ({
    host: text(row, 'host'),
    from: number(row, 'from_ms') / 1e3,
    to: number(row, 'to_ms') / 1e3,
    epoch: textOrNull(row, 'epoch'),
    rounds: number(row, 'rounds'),
  }))
  const found: SeenStretch[] = []
  for (const part of parts) {
    const last = found.at(-1)
    const follows =
      last?.host === part.host &&
      last.epoch === part.epoch &&
      Math.abs(part.from - last.to) <= slackMs / 1e3
    if (follows)
      found[found.length - 1] = { ...last, to: part.to, rounds: last.rounds + part.rounds }
    else found.push(part)
  }
  return found
}

const bootSql = `
  SELECT host.name AS host, epoch, min(coalesce(started_ms, first_ms)) AS at
  FROM job JOIN host ON host.id = job.host_id GROUP BY host.name, epoch ORDER BY host.name, epoch`

export const readBoots = (): Asking<Boot[]> =>
  rowsOf(bootSql, [], (row) => ({
    host: text(row, 'host'),
    epoch: text(row, 'epoch'),
    at: number(row, 'at') / 1e3,
  }))
