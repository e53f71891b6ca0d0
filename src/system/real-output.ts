import { readlinkSync, writeSync } from 'node:fs'
import type { Output } from './system.ts'

const terminals = ['/dev/pts/', '/dev/tty', '/dev/console'] as const

/**
 * Written straight to the descriptors. Touching `process.stdout` or `process.stderr` would switch them to
 * non-blocking mode, and a job that shares them would get errors it never expects.
 */
export const realOutput: Output = {
  write(descriptor, text) {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text
    for (let written = 0; written < bytes.length;) {
      try {
        written += writeSync(descriptor, bytes, written)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        // Words about the work that nobody can read are no reason to fail at it; the answer itself is.
        if (code === 'EPIPE' || (descriptor === 2 && code !== 'EAGAIN')) return false
        if (code !== 'EAGAIN') throw error
        // Somebody else made it non-blocking and its reader is slow: wait a moment.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
      }
    }
    return true
  },
  /** By the name of what it points to, which changes nothing. */
  isTerminal(descriptor) {
    try {
      const link = readlinkSync(`/proc/self/fd/${descriptor}`)
      return terminals.some((start) => link.startsWith(start))
    } catch {
      return false
    }
  },
}
