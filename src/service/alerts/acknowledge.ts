import type { ListedAlert } from '../../model/alert.ts'
import { openAlerts } from '../../store/alerts/open-alerts.ts'
import type { System } from '../../system/system.ts'
import { UserError } from '../user-error.ts'
import { alertsDatabase } from './alerts-path.ts'

/** Notes who has seen an alert that fires, by its id or the start of it: it is told to nobody else until it fires anew. */
export function acknowledgeAlert(
  system: System,
  ledger: string,
  { alertId, user }: { readonly alertId: string; readonly user: string },
): ListedAlert {
  const database = alertsDatabase(ledger)
  if (system.files.isMissing(database)) throw unknown(alertId)
  const store = openAlerts(database)
  try {
    const [meant, another] = store.firingIds(alertId)
    if (meant === undefined || alertId === '') throw unknown(alertId)
    if (another !== undefined)
      throw new UserError(`several alerts that fire have an id that starts with "${alertId}"`)
    const found = store.acknowledge(meant, user, system.clock.wallSeconds())
    if (found === undefined) throw unknown(alertId)
    return found
  } finally {
    store.close()
  }
}

const unknown = (alertId: string): UserError =>
  new UserError(`no alert that fires has the id "${alertId}". See jobmeter alerts list`)
