import { closeSync, constants, openSync, readSync, statSync, writeSync } from 'node:fs'
import { isThere } from './private-file.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants
const longestId = 100

/**
 * Makes an output directory that of one ledger: logs are named by the numbers that a ledger gives, and those of another
 * would get into the same files. Answers whether it is this one's, now or before.
 */
export function claimOutput(directory: string, ledger: string): boolean {
  const { ino, birthtimeMs } = statSync(ledger)
  // Not its path: a ledger that was deleted and made anew counts from 1 again.
  const id = `${ino} ${birthtimeMs}\n`
  const file = `${directory}/.ledger`
  try {
    const descriptor = openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    writeSync(descriptor, id)
    closeSync(descriptor)
    return true
  } catch (error) {
    if (!isThere(error)) throw error
    return idIn(file) === id
  }
}

function idIn(file: string): string | undefined {
  try {
    const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | constants.O_NONBLOCK)
    const bytes = Buffer.alloc(longestId)
    const length = readSync(descriptor, bytes)
    closeSync(descriptor)
    return bytes.toString('latin1', 0, length)
  } catch {
    // Not ours to read, or no file: somebody else's.
    return undefined
  }
}
