import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { StoreError } from './errors.ts'

/**
 * Ledgers and series hold command lines, parameters and names: only their owner may read them. SQLite gives its -wal and
 * -shm files the mode of the main file.
 *
 * A file that exists is looked at but never opened here: closing a descriptor of it would drop the
 * locks that other connections of this process hold on it, as POSIX locks go with the first close.
 */
export function makePrivateFile(file: string): void {
  makeDirectories(dirname(file))
  try {
    closeSync(openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600))
  } catch (error) {
    if (!isThere(error)) throw error
    refuseUnusable(file)
  }
}

/** For their owner only. Not mkdir's own `recursive`: under /proc, where mkdir answers ENOENT, Node 24 tries for ever. */
export function makeDirectories(directory: string): void {
  if (existsSync(directory)) return
  makeDirectories(dirname(directory))
  try {
    mkdirSync(directory, 0o700)
  } catch (error) {
    if (!isThere(error)) throw error
  }
}

function isThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

// Without this SQLite would open a read-only file, and only the first write would fail.
function refuseUnusable(file: string): void {
  if (!statSync(file).isFile())
    throw new StoreError(
      'not-a-ledger',
      file,
      'this is not a file; give the path of a file with --db or JOBMETER_DB',
    )
  accessSync(file, constants.R_OK | constants.W_OK)
}
