import type { ListedAlert } from '../../model/alert.ts'
import { openAlerts } from '../../store/alerts/open-alerts.ts'
import type { System } from '../../system/system.ts'
import { alertsDatabase } from './alerts-path.ts'
import { endDeadAlerts } from './deliver-all.ts'

/** What fires, or what ever fired, as far as it is kept. */
export function listAlerts(
  system: System,
  ledger: string,
  { all, limit }: { readonly all: boolean; readonly limit: number },
): readonly ListedAlert[] {
  const database = alertsDatabase(ledger)
  if (system.files.isMissing(database)) return []
  const store = openAlerts(database)
  try {
    endDeadAlerts(system, store, ledger)
    store.tidy(system.clock.wallSeconds())
    return store.list(all, limit)
  } finally {
    store.close()
  }
}
