import { constants } from 'node:os'
import type { Libc } from './libc.ts'

const F_SETSIG = 10
const F_SETLEASE = 1024
const F_WRLCK = 1
const F_UNLCK = 2

/**
 * Whether nobody but us has a file open, nor mapped into memory. The kernel grants a write lease on no other terms. It
 * counts how often a file was opened, not who has a copy of a descriptor: those that we gave away must be opened anew.
 * False where the file system has no leases.
 */
export function isHeldAlone(libc: Libc, descriptor: number): boolean {
  // Who opens the file just now has a signal sent to us: not the usual one, which would end us.
  libc.fcntl(descriptor, F_SETSIG, constants.signals.SIGURG)
  if (libc.fcntl(descriptor, F_SETLEASE, F_WRLCK) !== 0) return false
  libc.fcntl(descriptor, F_SETLEASE, F_UNLCK)
  return true
}
