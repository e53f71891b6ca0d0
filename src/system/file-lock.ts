import { constants } from 'node:os'
import type { TryLock } from '../model/file-lock.ts'
import type { Libc } from './libc.ts'

const LOCK_SH = 1
const LOCK_EX = 2
const LOCK_NB = 4

/** `flock`, not `fcntl`: a lock of that is lost as soon as any descriptor of the file is closed, whoever opened it. */
export function fileLock(libc: Libc): TryLock {
  return (descriptor, kind) => {
    const operation = (kind === 'exclusive' ? LOCK_EX : LOCK_SH) | LOCK_NB
    if (libc.flock(descriptor, operation) === 0) return 'got'
    // Anything else means that this disk, or this way to it, knows no locks.
    return libc.errno() === constants.errno.EWOULDBLOCK ? 'held by another' : 'unavailable'
  }
}
