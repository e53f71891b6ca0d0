import type { System } from '../system/system.ts'
import { configPath, usualConfigPath, type Environment } from './config-path.ts'

const fileName = 'prices.yaml'

/** Where prices are if nobody says otherwise. */
export const defaultPricePath = (system: System, environment: Environment): string =>
  usualConfigPath(system, environment, fileName)

/** The file that was named, or the one of the environment, or the user's own; undefined where there is none. */
export const pricePath = (
  system: System,
  named: string | undefined,
  environment: Environment,
): string | undefined =>
  configPath(system, named ?? environment['JOBMETER_PRICES'], environment, fileName)
