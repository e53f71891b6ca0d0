import { closeSync, constants, openSync } from 'node:fs'
import type { TryLock } from '../model/file-lock.ts'
import { isStillAt } from './own-file.ts'

const { O_CREAT, O_NOFOLLOW, O_RDWR } = constants

/**
 * Takes the lock of this name, which the kernel drops with its holder; undefined where another has it. Where there are no
 * locks, everybody gets it.
 */
export function holdLock(path: string, tryLock: TryLock): HeldLock | undefined {
  const descriptor = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
  if (tryLock(descriptor, 'exclusive') === 'held by another') {
    closeSync(descriptor)
    return undefined
  }
  return {
    isInPlace: () => isStillAt(path, descriptor),
    release: () => closeSync(descriptor),
  }
}

export interface HeldLock {
  /** Whether others who want the lock find this one: somebody may have removed its file. */
  isInPlace(): boolean
  release(): void
}
