import { isAbsolute, join } from 'node:path'
import type { System } from '../system/system.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where prices are if nobody says otherwise. */
export function defaultPricePath(system: System, environment: Environment): string {
  const config = environment['XDG_CONFIG_HOME']
  const base = config && isAbsolute(config) ? config : join(system.host.homeDirectory, '.config')
  return join(base, 'jobmeter', 'prices.yaml')
}

/** The file that was named, or the one of the environment, or the user's own; undefined where there is none. */
export function pricePath(
  system: System,
  named: string | undefined,
  environment: Environment,
): string | undefined {
  const asked = named ?? environment['JOBMETER_PRICES']
  if (asked) return asked
  const usual = defaultPricePath(system, environment)
  return system.files.isMissing(usual) ? undefined : usual
}
