import { uptime } from 'node:os'
import type { Libc } from './libc.ts'

/**
 * Seconds since the machine was started, those counted in which it slept. Nobody sets this clock, so two processes of a machine
 * agree on it, whatever the time of day is said to be.
 */
export const bootSeconds = (): number => uptime()

const CLOCK_BOOTTIME = 7

/**
 * The same from the kernel itself. Node reads /proc/uptime, for which LXCFS has a file of its own: there it counts from the start
 * of a container, and start times of processes from that of the machine.
 */
export function kernelBootSeconds(libc: Libc): () => number {
  const told = new BigInt64Array(2)
  const into = Buffer.from(told.buffer)
  return () =>
    libc.clock_gettime(CLOCK_BOOTTIME, into) === 0
      ? Number(told[0]) + Number(told[1]) / 1e9
      : bootSeconds()
}
