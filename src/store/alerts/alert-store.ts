import type { AlertNotice, ListedAlert, ListedDelivery } from '../../model/alert.ts'
import type { FiringCount } from '../../model/metric-facts.ts'
import type { Owner } from '../../model/machine.ts'
import { daySeconds } from '../../model/time-parts.ts'
import type { Connection } from '../sqlite/connection.ts'
import type { LockWait } from '../sqlite/lock-wait.ts'
import { numberOrNull, object, text, textOrNull, number, type Row } from '../sqlite/row.ts'
import { DeliveryQueue, type ToChannel } from './delivery-queue.ts'

/** An attempt that sees an alert, and who watches it. */
export interface Holder {
  readonly taskId: string
  readonly owner: Owner
}

/** What is known before an alert has its number. */
export type NewNotice = Omit<AlertNotice, 'id' | 'alertId' | 'kind' | 'firedAt'>

/** How long an alert about the end of a job fires if no run of the job ends well. */
const firingDays = 7
const keptDays = 30

/** What fires, what fired, and what is still to be told of it. Several processes may use the file at once. */
export class AlertStore {
  readonly queue: DeliveryQueue
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
    this.queue = new DeliveryQueue(connection)
  }

  waitForLocks(wait: LockWait): void {
    this.#connection.waitForLocks(wait)
  }

  /** Several changes, whole or not at all. */
  batch<T>(work: () => T): T {
    return this.#connection.batch(work)
  }

  /** An alert fires; null if it did so already, as somebody else has seen it too. `holder`: null if it is about an end. */
  fire(
    key: string,
    alertId: string,
    notice: NewNotice,
    holder: Holder | null,
    to: readonly ToChannel[],
  ): AlertNotice | null {
    return this.#connection.transaction(() => {
      const known = this.#firing(key)
      if (holder !== null) this.#hold(known ?? alertId, holder, notice.at)
      if (known !== undefined) return null
      // Here too: where only a console is told, nobody delivers.
      this.tidy(notice.at)
      const { rule, severity, subject, metric, value, threshold, at } = notice
      this.#connection.run(
        `INSERT INTO alert (alert_id, key, rule, severity, subject, text, metric, value, threshold, fired_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        alertId,
        key,
        rule,
        severity,
        JSON.stringify(subject),
        notice.text,
        metric,
        value,
        threshold,
        at,
      )
      const id = `${alertId}-firing`
      const told: AlertNotice = { ...notice, id, alertId, kind: 'firing', firedAt: at }
      this.queue.add(told, to)
      return told
    })
  }

  /** It is over for one who saw it, and for all if nobody else still sees it. Answers what is news. */
  resolve(
    key: string,
    notice: NewNotice,
    taskId: string,
    to: readonly ToChannel[],
  ): AlertNotice | null {
    return this.#connection.transaction(() => {
      const alertId = this.#firing(key)
      if (alertId === undefined) return null
      this.#release(alertId, taskId)
      return this.#isHeld(alertId) ? null : this.#end(alertId, notice, to)
    })
  }

  /** The same of all alerts whose key begins so, which nobody still sees; oldest first. */
  resolveAll(keyStart: string, notice: NewNotice, to: readonly ToChannel[]): AlertNotice[] {
    return this.#connection.transaction(() =>
      this.#connection
        .rows(
          `SELECT alert_id FROM alert WHERE resolved_at IS NULL AND substr(key, 1, length(?1)) = ?1
           ORDER BY fired_at, rowid`,
          keyStart,
        )
        .map((row) => this.#end(text(row, 'alert_id'), notice, to)),
    )
  }

  /** Attempts that see an alert, with their runners. */
  holders(): (Holder & { readonly alertId: string; readonly since: number })[] {
    return this.#connection
      .rows('SELECT alert_id, task_id, owner, since FROM holder')
      .map((row) => ({
        alertId: text(row, 'alert_id'),
        taskId: text(row, 'task_id'),
        owner: object(row, 'owner') as unknown as Owner,
        since: number(row, 'since'),
      }))
  }

  /** The runner of an attempt is dead: what only it saw is over as far as anybody knows. */
  drop(alertId: string, taskId: string, at: number, because: string): void {
    this.#connection.transaction(() => {
      this.#release(alertId, taskId)
      const row = this.#connection.row(
        'SELECT * FROM alert WHERE alert_id = ? AND resolved_at IS NULL',
        alertId,
      )
      if (row === undefined || this.#isHeld(alertId)) return
      const told = this.#connection
        .rows('SELECT DISTINCT config, channel FROM delivery WHERE alert_id = ?', alertId)
        .map((each) => ({ config: text(each, 'config'), channel: text(each, 'channel') }))
      const { rule, severity, subject, metric, value, threshold } = alertOf(row)
      const last = { rule, severity, subject, metric, value, threshold }
      this.#end(alertId, { ...last, at, text: because }, told)
    })
  }

  /** Newest first; those that fire, or all of the last weeks. */
  list(all: boolean, most: number): ListedAlert[] {
    return this.#connection
      .rows(
        `SELECT * FROM alert WHERE resolved_at IS NULL OR ? ORDER BY fired_at DESC, rowid DESC LIMIT ?`,
        Number(all),
        most,
      )
      .map((row) => ({ ...alertOf(row), deliveries: this.#deliveriesOf(text(row, 'alert_id')) }))
  }

  /** How many alerts of each rule fire. */
  firingCounts(): FiringCount[] {
    return this.#connection
      .rows(
        `SELECT rule, severity, count(*) AS alerts FROM alert WHERE resolved_at IS NULL
         GROUP BY rule, severity ORDER BY rule, severity`,
      )
      .map((row) => ({
        rule: text(row, 'rule'),
        severity: text(row, 'severity') as FiringCount['severity'],
        alerts: number(row, 'alerts'),
      }))
  }

  /**
   * Somebody has taken note of an alert that fires: nothing more is told of it, not even that it is over, until it fires
   * anew. Who did so first is kept. Answers the alert; undefined if none that fires has this id.
   */
  acknowledge(alertId: string, by: string, at: number): ListedAlert | undefined {
    return this.#connection.transaction(() => {
      this.#connection.run(
        `UPDATE alert SET acknowledged_at = ?, acknowledged_by = ?
         WHERE alert_id = ? AND resolved_at IS NULL AND acknowledged_at IS NULL`,
        at,
        by,
        alertId,
      )
      const row = this.#connection.row(
        'SELECT * FROM alert WHERE alert_id = ? AND resolved_at IS NULL',
        alertId,
      )
      if (row === undefined) return undefined
      this.queue.drop(alertId, `acknowledged by ${by}`, at)
      return { ...alertOf(row), deliveries: this.#deliveriesOf(alertId) }
    })
  }

  /** Those that fire and whose id starts so. */
  firingIds(idStart: string): string[] {
    return this.#connection
      .rows(
        `SELECT alert_id FROM alert WHERE resolved_at IS NULL AND substr(alert_id, 1, length(?1)) = ?1`,
        idStart,
      )
      .map((row) => text(row, 'alert_id'))
  }

  /** Ends what nobody has resolved for long, untold, and forgets what was over and told long ago. */
  tidy(now: number): void {
    this.#connection.transaction(() => {
      this.#connection.run(
        `UPDATE alert SET resolved_at = fired_at + ?, resolved_because = ?
         WHERE resolved_at IS NULL AND fired_at < ?
           AND NOT EXISTS (SELECT 1 FROM holder WHERE holder.alert_id = alert.alert_id)`,
        firingDays * daySeconds,
        `not known any more: the job has not run well for ${firingDays} days`,
        now - firingDays * daySeconds,
      )
      // The time at which it fired is the one with an index.
      const old = `SELECT alert_id FROM alert WHERE fired_at < ?1 AND resolved_at < ?1 AND NOT EXISTS (
        SELECT 1 FROM delivery WHERE delivery.alert_id = alert.alert_id
          AND delivered_at IS NULL AND given_up_at IS NULL)`
      const before = now - keptDays * daySeconds
      this.queue.giveUpUntried(before, now)
      this.#connection.run(`DELETE FROM delivery WHERE alert_id IN (${old})`, before)
      this.#connection.run(`DELETE FROM alert WHERE alert_id IN (${old})`, before)
    })
  }

  close(): void {
    this.#connection.close()
  }

  #firing(key: string): string | undefined {
    const row = this.#connection.row(
      'SELECT alert_id FROM alert WHERE key = ? AND resolved_at IS NULL',
      key,
    )
    return row && text(row, 'alert_id')
  }

  #hold(alertId: string, { taskId, owner }: Holder, since: number): void {
    this.#connection.run(
      'INSERT OR REPLACE INTO holder (alert_id, task_id, owner, since) VALUES (?, ?, ?, ?)',
      alertId,
      taskId,
      JSON.stringify(owner),
      since,
    )
  }

  #release(alertId: string, taskId: string): void {
    this.#connection.run('DELETE FROM holder WHERE alert_id = ? AND task_id = ?', alertId, taskId)
  }

  #isHeld(alertId: string): boolean {
    return this.#connection.row('SELECT 1 FROM holder WHERE alert_id = ?', alertId) !== undefined
  }

  #end(alertId: string, notice: NewNotice, to: readonly ToChannel[]): AlertNotice {
    const fired = this.#connection.row(
      'SELECT fired_at, acknowledged_at FROM alert WHERE alert_id = ?',
      alertId,
    )
    this.#connection.run(
      'UPDATE alert SET resolved_at = ?, resolved_because = ? WHERE alert_id = ?',
      notice.at,
      notice.text,
      alertId,
    )
    const firedAt = number(fired ?? {}, 'fired_at')
    const id = `${alertId}-resolved`
    const told: AlertNotice = { ...notice, id, alertId, kind: 'resolved', firedAt }
    const isSeen = numberOrNull(fired ?? {}, 'acknowledged_at') !== null
    this.queue.add(told, isSeen ? [] : to)
    return told
  }

  #deliveriesOf(alertId: string): ListedDelivery[] {
    return this.#connection
      .rows('SELECT * FROM delivery WHERE alert_id = ? ORDER BY delivery_id', alertId)
      .map((row) => ({
        channel: text(row, 'channel'),
        kind: text(row, 'kind') as AlertNotice['kind'],
        state:
          row['delivered_at'] !== null
            ? 'delivered'
            : row['given_up_at'] !== null
              ? 'given up'
              : 'waiting',
        attempts: number(row, 'attempts'),
        lastError: textOrNull(row, 'last_error'),
      }))
  }
}

export function alertOf(row: Row): Omit<ListedAlert, 'deliveries'> {
  return {
    alertId: text(row, 'alert_id'),
    rule: text(row, 'rule'),
    severity: text(row, 'severity') as ListedAlert['severity'],
    subject: object(row, 'subject') as unknown as ListedAlert['subject'],
    text: text(row, 'text'),
    metric: text(row, 'metric'),
    value: numberOrNull(row, 'value'),
    threshold: numberOrNull(row, 'threshold'),
    firedAt: number(row, 'fired_at'),
    resolvedAt: numberOrNull(row, 'resolved_at'),
    resolvedBecause: textOrNull(row, 'resolved_because'),
    acknowledgedAt: numberOrNull(row, 'acknowledged_at'),
    acknowledgedBy: textOrNull(row, 'acknowledged_by'),
  }
}
