import type { Files } from '../../system/system.ts'

/** Seconds since the machine was started, by the clock that start times of processes count from; NaN where it cannot be read. */
export function readUptimeSeconds(files: Files): number {
  const text = files.readText('/proc/uptime')
  return text.kind === 'ok' ? Number(text.value.split(' ', 1)[0]) : Number.NaN
}
