import { dirname, join, resolve } from 'node:path'
import type { AlertConfig } from '../../alert/config/read-alerts.ts'
import type { System } from '../../system/system.ts'
import { settingsError, settingsText } from '../settings-file.ts'

export interface AlertFile extends AlertConfig {
  /** Whole, so that it is found from anywhere. */
  readonly path: string
}

/** The rules and channels of a file. What is wrong with it is said all at once, with the place. */
export async function loadAlertFile(system: System, path: string): Promise<AlertFile> {
  const whole = resolve(path)
  const text = settingsText(system, whole)
  const { readAlerts } = await import('../../alert/config/read-alerts.ts')
  const inside = (written: string): string =>
    written.startsWith('~/')
      ? join(system.host.homeDirectory, written.slice(2))
      : resolve(dirname(whole), written)
  const result = readAlerts(text, path, inside)
  if (result.kind === 'ok') return { ...result.value, path: whole }
  throw settingsError('alert file', result.errors)
}
