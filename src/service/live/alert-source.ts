import type { LiveAlert, LiveAlertEvent } from '../../model/live.ts'
import { AlertWatch } from '../../store/alerts/alert-watch.ts'
import { alertsDatabase } from '../alerts/alerts-path.ts'

/** What fires, what is over, and what was acknowledged. */
export class AlertSource {
  readonly #path: string
  readonly #userOf: (alert: LiveAlert) => string
  /** Those that fire, as they were told. */
  readonly #firing = new Map<string, LiveAlert>()
  #watch: AlertWatch | undefined
  #newestRow = 0
  #isFirst = true

  constructor(ledger: string, userOf: (alert: LiveAlert) => string) {
    this.#path = alertsDatabase(ledger)
    this.#userOf = userOf
  }

  read(): LiveAlertEvent[] {
    if (this.#watch?.isReplaced === true) {
      this.close()
      this.#newestRow = 0
    }
    this.#watch ??= AlertWatch.open(this.#path)
    const watch = this.#watch
    const isFirst = this.#isFirst
    if (watch === undefined) this.#isFirst = false
    if (watch === undefined || !watch.hasChanged()) return []
    try {
      if (isFirst) this.#newestRow = watch.newestRow()
      const found = isFirst ? watch.firing() : watch.news(this.#newestRow, [...this.#firing.keys()])
      this.#newestRow = Math.max(this.#newestRow, ...found.map(({ rowId }) => rowId))
      this.#isFirst = false
      return found.flatMap(({ alert }) => this.#changes(alert, isFirst))
    } catch (error) {
      watch.readAgain()
      throw error
    }
  }

  close(): void {
    this.#watch?.close()
    this.#watch = undefined
  }

  #changes(alert: LiveAlert, isFirst: boolean): LiveAlertEvent[] {
    const told = this.#firing.get(alert.alertId)
    const changes: LiveAlertEvent['change'][] = []
    if (told === undefined) changes.push(isFirst ? 'found' : 'fired')
    if (alert.acknowledgedAt !== (told?.acknowledgedAt ?? null) && !isFirst)
      changes.push('acknowledged')
    if (alert.resolvedAt === null) this.#firing.set(alert.alertId, alert)
    else {
      changes.push('resolved')
      this.#firing.delete(alert.alertId)
    }
    const user = this.#userOf(alert)
    return changes.map((change) => ({ kind: 'alert', user, change, alert }))
  }
}
