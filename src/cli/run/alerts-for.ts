import { alertsPath } from '../../service/alerts/alerts-path.ts'
import type { RunAlerts } from '../../service/alerts/run-alerts.ts'
import type { System } from '../../system/system.ts'
import type { Console } from '../terminal/console.ts'

/** Alerts, where they are set up: else one look for a file is all that is done. */
export async function alertsFor(
  system: System,
  ledger: string,
  named: string | undefined,
  console: Console,
  tell: (line: string) => void = (line) => console.complain(line),
  isNamed = named !== undefined,
): Promise<RunAlerts | undefined> {
  const path = alertsPath(system, named, process.env)
  if (path === undefined) return undefined
  const { beginAlerts } = await import('./begin-alerts.ts')
  const asked = { path, isNamed, ledger, tell }
  return beginAlerts(system, asked, console)
}
