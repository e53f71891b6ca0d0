import { alertsPath, defaultAlertsPath } from '../../service/alerts/alerts-path.ts'
import { loadAlertFile, type AlertFile } from '../../service/alerts/alert-file.ts'
import { UserError } from '../../service/user-error.ts'
import type { System } from '../../system/system.ts'

/** The file that was asked for, or the user's own. */
export function alertFileAsked(system: System, named: string | undefined): Promise<AlertFile> {
  const path = alertsPath(system, named, process.env)
  if (path === undefined)
    throw new UserError(
      `no alerts are set up. Write them to ${defaultAlertsPath(system, process.env)}, or name a file with --alerts`,
    )
  return loadAlertFile(system, path)
}
