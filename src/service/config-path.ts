import { isAbsolute, join } from 'node:path'
import { isForeignToRoot } from '../store/strangers.ts'
import type { System } from '../system/system.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Where a file of settings is if nobody says otherwise. */
export function usualConfigPath(system: System, environment: Environment, file: string): string {
  const config = environment['XDG_CONFIG_HOME']
  const base = config && isAbsolute(config) ? config : join(system.host.homeDirectory, '.config')
  return join(base, 'jobmeter', file)
}

/**
 * The file that was asked for, or the user's own; undefined where there is none. Root follows nobody else's: with the HOME of
 * a user, as `sudo` may leave it, the file could have root write to any file and send out what only root may read.
 */
export function configPath(
  system: System,
  asked: string | undefined,
  environment: Environment,
  file: string,
): string | undefined {
  if (asked) return asked
  const usual = usualConfigPath(system, environment, file)
  if (system.files.isMissing(usual)) return undefined
  if (!isForeignToRoot(usual)) return usual
  const own = join(system.host.accountHomeDirectory, '.config', 'jobmeter', file)
  return own === usual || system.files.isMissing(own) ? undefined : own
}
