import type { Files } from '../../system/system.ts'

/**
 * Seconds since the machine was started, those counted in which it slept. Nobody sets this clock, so two processes of a machine
 * agree on it, whatever the time of day is said to be.
 */
export function bootSeconds(files: Files): number {
  const text = files.readText('/proc/uptime')
  const seconds = text.kind === 'ok' ? Number.parseFloat(text.value) : Number.NaN
  if (Number.isNaN(seconds)) throw new Error('/proc/uptime cannot be read')
  return seconds
}
