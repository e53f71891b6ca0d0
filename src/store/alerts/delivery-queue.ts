import type { AlertNotice } from '../../model/alert.ts'
import type { Connection } from '../sqlite/connection.ts'
import { number, numberOrNull, object, text } from '../sqlite/row.ts'

/** A channel of a configuration: the path of its file, and its name there. */
export interface ToChannel {
  readonly config: string
  readonly channel: string
}

/** Notices that go out as one message. */
export interface Batch {
  /** The same at each attempt. */
  readonly id: string
  readonly notices: readonly AlertNotice[]
  /** How often it has been tried before. */
  readonly attempts: number
  readonly queuedAt: number
}

const waiting = 'delivered_at IS NULL AND given_up_at IS NULL'
/** More are told in the next message: Slack takes 50 blocks at once. */
const mostInBatch = 40

/** Notices on their way, oldest first for each channel. */
export class DeliveryQueue {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** To be called in a transaction. */
  add(notice: AlertNotice, to: readonly ToChannel[]): void {
    for (const { config, channel } of to)
      this.#connection.run(
        `INSERT OR IGNORE INTO delivery (notice_id, alert_id, kind, config, channel, notice, queued_at, due_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        notice.id,
        notice.alertId,
        notice.kind,
        config,
        channel,
        JSON.stringify(notice),
        notice.at,
        notice.at,
      )
  }

  /** Channels that something waits for. */
  waitingChannels(): ToChannel[] {
    return this.#connection
      .rows(`SELECT DISTINCT config, channel FROM delivery WHERE ${waiting}`)
      .map((row) => ({ config: text(row, 'config'), channel: text(row, 'channel') }))
  }

  get isEmpty(): boolean {
    return this.#connection.row(`SELECT 1 FROM delivery WHERE ${waiting}`) === undefined
  }

  /**
   * Takes what is to go to a channel next, if its time has come: a message that failed before, as it was, or else all
   * that waits. Nobody else gets it for `claimSeconds`. Nothing overtakes a message that failed.
   */
  take(
    { config, channel }: ToChannel,
    now: number,
    { newId, groupSeconds, claimSeconds }: TakeSettings,
  ): Batch | undefined {
    return this.#connection.transaction(() => {
      const [first] = this.#connection.rows(
        `SELECT batch, min(due_at) AS due, max(claimed_until) AS claimed, min(queued_at) AS queued
         FROM delivery WHERE config = ? AND channel = ? AND ${waiting}
         GROUP BY batch ORDER BY batch IS NULL, min(delivery_id)`,
        config,
        channel,
      )
      if (first === undefined || number(first, 'claimed') > now) return undefined
      const begun = first['batch']
      const ready = begun === null ? number(first, 'queued') + groupSeconds : number(first, 'due')
      if (ready > now) return undefined
      const id = begun === null ? newId : text(first, 'batch')
      if (begun === null)
        this.#connection.run(
          `UPDATE delivery SET batch = ? WHERE delivery_id IN (
             SELECT delivery_id FROM delivery WHERE config = ? AND channel = ? AND ${waiting}
             ORDER BY delivery_id LIMIT ${mostInBatch})`,
          id,
          config,
          channel,
        )
      this.#connection.run(
        'UPDATE delivery SET claimed_until = ? WHERE batch = ?',
        now + claimSeconds,
        id,
      )
      return this.#batch(id)
    })
  }

  delivered(batch: string, now: number): void {
    this.#connection.run(
      `UPDATE delivery SET delivered_at = ?, attempts = attempts + 1, claimed_until = 0, last_error = NULL
       WHERE batch = ?`,
      now,
      batch,
    )
  }

  /** It is tried again at that time. */
  failed(batch: string, error: string, dueAt: number): void {
    this.#connection.run(
      `UPDATE delivery SET due_at = ?, attempts = attempts + 1, claimed_until = 0, last_error = ?
       WHERE batch = ?`,
      dueAt,
      error,
      batch,
    )
  }

  giveUp(batch: string, error: string, now: number): void {
    this.#connection.run(
      `UPDATE delivery SET given_up_at = ?, attempts = attempts + 1, claimed_until = 0, last_error = ?
       WHERE batch = ?`,
      now,
      error,
      batch,
    )
  }

  /** Nothing that waits of an alert is to be told any more. What is just being sent arrives. */
  drop(alertId: string, why: string, now: number): void {
    this.#connection.run(
      `UPDATE delivery SET given_up_at = ?, last_error = ? WHERE alert_id = ? AND claimed_until <= ? AND ${waiting}`,
      now,
      why,
      alertId,
      now,
    )
  }

  /** Keeps why nobody has tried yet, where nothing is known that went wrong. */
  untried({ config, channel }: ToChannel, why: string): void {
    const those = `FROM delivery WHERE config = ? AND channel = ? AND ${waiting} AND last_error IS NULL`
    if (this.#connection.row(`SELECT 1 ${those}`, config, channel) === undefined) return
    this.#connection.run(
      `UPDATE delivery SET last_error = ? WHERE delivery_id IN (SELECT delivery_id ${those})`,
      why,
      config,
      channel,
    )
  }

  /** Gives up what nobody could try since before then. To be called in a transaction. */
  giveUpUntried(before: number, now: number): void {
    this.#connection.run(
      `UPDATE delivery SET given_up_at = ? WHERE ${waiting} AND attempts = 0 AND queued_at < ?`,
      now,
      before,
    )
  }

  /** When messages went to a channel since then. */
  sentTimes({ config, channel }: ToChannel, since: number): number[] {
    return this.#connection
      .rows(
        `SELECT max(delivered_at) AS at FROM delivery
         WHERE config = ? AND channel = ? AND delivered_at >= ? GROUP BY batch ORDER BY at`,
        config,
        channel,
        since,
      )
      .map((row) => number(row, 'at'))
  }

  /** When something is next to be done for a channel, if nothing keeps it back. */
  nextAt({ config, channel }: ToChannel, groupSeconds: number): number | undefined {
    const row = this.#connection.row(
      `SELECT min(max(claimed_until, CASE WHEN batch IS NULL THEN queued_at + ? ELSE due_at END)) AS at
       FROM delivery WHERE config = ? AND channel = ? AND ${waiting}`,
      groupSeconds,
      config,
      channel,
    )
    return numberOrNull(row ?? {}, 'at') ?? undefined
  }

  #batch(id: string): Batch {
    const rows = this.#connection.rows(
      'SELECT notice, attempts, queued_at FROM delivery WHERE batch = ? ORDER BY delivery_id',
      id,
    )
    return {
      id,
      notices: rows.map((row) => object(row, 'notice') as unknown as AlertNotice),
      attempts: Math.max(...rows.map((row) => number(row, 'attempts'))),
      queuedAt: Math.min(...rows.map((row) => number(row, 'queued_at'))),
    }
  }
}

export interface TakeSettings {
  /** For a message that has not been tried yet. */
  readonly newId: string
  readonly groupSeconds: number
  /** Longer than an attempt can take: who took it may have died. */
  readonly claimSeconds: number
}
