import type { FiringCount } from '../../model/metric-facts.ts'
import { openAlerts } from '../../store/alerts/open-alerts.ts'
import type { System } from '../../system/system.ts'
import { alertsDatabase } from '../alerts/alerts-path.ts'
import { endDeadAlerts } from '../alerts/deliver-all.ts'

/** How many alerts of each rule fire now. */
export function firingAlerts(system: System, ledger: string): FiringCount[] {
  const database = alertsDatabase(ledger)
  if (system.files.isMissing(database)) return []
  const store = openAlerts(database)
  try {
    endDeadAlerts(system, store, ledger)
    return store.firingCounts()
  } finally {
    store.close()
  }
}
