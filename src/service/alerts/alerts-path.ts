import { dirname, join } from 'node:path'
import type { System } from '../../system/system.ts'
import { configPath, usualConfigPath, type Environment } from '../config-path.ts'

const fileName = 'alerts.yaml'

/** Where alerts are set up if nobody says otherwise. */
export const defaultAlertsPath = (system: System, environment: Environment): string =>
  usualConfigPath(system, environment, fileName)

/** The file that was named, or the one of the environment, or the user's own; undefined where there is none. */
export const alertsPath = (
  system: System,
  named: string | undefined,
  environment: Environment,
): string | undefined =>
  configPath(system, named ?? environment['JOBMETER_ALERTS'], environment, fileName)

/** What is known of alerts lies beside the ledger, never in it: no job waits for it. */
export const alertsDatabase = (ledger: string): string => join(dirname(ledger), 'alerts.db')
