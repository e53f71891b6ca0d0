import type { Statements } from '../connection.ts'
import { bossSchema } from './boss-version.ts'
import { servedEverySeconds, type WaitingLane } from './choose-lanes.ts'

/** Enough to be counted; the sum of more might be too much for its column. */
const mostCounted = 1_000_000

interface Change {
  served: boolean
  gone: boolean
  passed: number
  reserved: boolean
}

/**
 * What a transaction has to say about how lanes wait, written down at its end, of lanes that nobody else is writing about: nobody
 * waits for it. What is only taken leaves its lane as it is, for it may come back.
 */
export class LaneWaits {
  readonly #changes = new Map<number, Change>()

  /** A job of it has begun. */
  served(lane: number): void {
    this.#of(lane).served = true
  }

  /** A job of it is gone that did not begin. If it was the last one, nothing is owed to those that come later. */
  gone(lane: number): void {
    this.#of(lane).gone = true
  }

  /** Jobs that came later have begun, or will before it does. */
  passed(lane: number, times: number): void {
    this.#of(lane).passed += times
  }

  /** The worker keeps room for it. */
  reserved(lane: number): void {
    this.#of(lane).reserved = true
  }

  /** The lane as it will be. */
  applied(lane: WaitingLane): WaitingLane {
    const change = this.#changes.get(lane.id)
    if (change === undefined) return lane
    const overtaken = change.passed + (change.served ? 0 : lane.overtaken)
    return change.served
      ? { ...lane, overtaken, waitedSeconds: 0, reservedElsewhere: false }
      : { ...lane, overtaken }
  }

  async keep(statements: Statements, workerId: string | null): Promise<void> {
    if (this.#changes.size === 0) return
    const changes = [...this.#changes.values()]
    await statements.run(
      `UPDATE queue_lane lane SET
         served_at = CASE WHEN served THEN clock_timestamp() ELSE served_at END,
         overtaken = least(CASE WHEN clears THEN 0 ELSE overtaken END + passed, ${mostCounted}),
         reserved_by = CASE WHEN reserved THEN ?::uuid WHEN clears THEN NULL ELSE reserved_by END,
         reserved_since = CASE WHEN reserved THEN coalesce(reserved_since, clock_timestamp())
           WHEN clears THEN NULL ELSE reserved_since END
       FROM (
         SELECT id, served, passed, reserved, served OR (gone AND NOT EXISTS (
           SELECT FROM ${bossSchema}.job WHERE name = 'lane-' || told.id AND state < 'active')) AS clears
         FROM unnest(?::bigint[], ?::boolean[], ?::boolean[], ?::int[], ?::boolean[])
           AS told (id, served, gone, passed, reserved) JOIN queue_lane USING (id)
         WHERE passed > 0 OR (reserved AND reserved_by IS DISTINCT FROM ?::uuid)
           OR ((served OR gone) AND (overtaken > 0 OR reserved_by IS NOT NULL))
           OR (served AND served_at < clock_timestamp() - ${servedEverySeconds} * interval '1 s')
         ORDER BY id FOR NO KEY UPDATE OF queue_lane SKIP LOCKED
       ) AS noted WHERE lane.id = noted.id`,
      [
        workerId,
        [...this.#changes.keys()],
        changes.map(({ served }) => served),
        changes.map(({ gone }) => gone),
        changes.map(({ passed }) => passed),
        changes.map(({ reserved }) => reserved),
        workerId,
      ],
    )
  }

  #of(lane: number): Change {
    const known = this.#changes.get(lane)
    if (known !== undefined) return known
    const made = { served: false, gone: false, passed: 0, reserved: false }
    this.#changes.set(lane, made)
    return made
  }
}
