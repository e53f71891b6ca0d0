import { KeyedNumbers } from '../keyed-numbers.ts'

/** cpu.stat of cgroup v2: every cgroup has it, with or without the cpu controller. */
export class CpuStat {
  usageSeconds = Number.NaN
  userSeconds = Number.NaN
  systemSeconds = Number.NaN
  /** Held back by a CPU limit. NaN without the cpu controller. */
  throttledSeconds = Number.NaN
  throttledPeriods = Number.NaN
}

const lines = new KeyedNumbers([
  'usage_usec',
  'user_usec',
  'system_usec',
  'throttled_usec',
  'nr_throttled',
])

export function parseCpuStat(bytes: Uint8Array, length: number, into: CpuStat): boolean {
  lines.find(bytes, length)
  into.usageSeconds = lines.number('usage_usec') / 1e6
  into.userSeconds = lines.number('user_usec') / 1e6
  into.systemSeconds = lines.number('system_usec') / 1e6
  into.throttledSeconds = lines.number('throttled_usec') / 1e6
  into.throttledPeriods = lines.number('nr_throttled')
  return !Number.isNaN(into.usageSeconds + into.userSeconds + into.systemSeconds)
}
