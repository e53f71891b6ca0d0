import { ByteScan, largestNanoseconds } from '../byte-scan.ts'
import { KeyedNumbers } from '../keyed-numbers.ts'

const scan = new ByteScan()

/** cpuacct.usage, cpuacct.usage_user or cpuacct.usage_sys of cgroup v1, which hold nanoseconds; NaN for garbage. */
export function parseCpuacctUsage(bytes: Uint8Array, length: number): number {
  scan.begin(bytes, length)
  const seconds = scan.number(largestNanoseconds) / 1e9
  return scan.endsWord() ? seconds : Number.NaN
}

/** cpuacct.stat of cgroup v1. Coarse: for old kernels without usage_user and usage_sys. */
export class CpuacctStat {
  userSeconds = Number.NaN
  systemSeconds = Number.NaN
}

const lines = new KeyedNumbers(['user', 'system'])

/** The kernel writes these in ticks of USER_HZ, as in /proc. */
export function parseCpuacctStat(
  bytes: Uint8Array,
  length: number,
  ticksPerSecond: number,
  into: CpuacctStat,
): boolean {
  lines.find(bytes, length)
  into.userSeconds = lines.number('user') / ticksPerSecond
  into.systemSeconds = lines.number('system') / ticksPerSecond
  return !Number.isNaN(into.userSeconds + into.systemSeconds)
}
