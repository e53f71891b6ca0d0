import { lstatSync, type Stats } from 'node:fs'
import { StoreError } from '../errors.ts'

/** What SQLite reads together with a file. */
const endings = ['', '-wal', '-shm', '-journal']

/**
 * Whoever can write a file of tokens can make himself an administrator. It may lie in a directory of a group, or of
 * everybody, where others can put one of their own: so it is believed only where nobody but us and root can have made it.
 */
export function refuseUntrusted(file: string): void {
  for (const ending of endings) {
    const path = `${file}${ending}`
    const found = lstatSync(path, { throwIfNoEntry: false })
    const why = found && whyUntrusted(found)
    if (why !== undefined)
      throw new StoreError('unreadable', path, `${why}; tokens are not read from it`)
  }
}

function whyUntrusted(found: Stats): string | undefined {
  const { uid, mode } = found
  if (!found.isFile()) return 'this is not a file'
  if (uid !== process.geteuid?.() && uid !== 0)
    return 'this belongs to somebody else: remove it, or have its owner keep it elsewhere'
  if ((mode & 0o022) !== 0)
    return 'others can write this: see who made it, then run chmod 600 on it'
  return undefined
}
