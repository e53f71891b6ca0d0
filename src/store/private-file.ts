import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  statSync,
  type Stats,
} from 'node:fs'
import { dirname } from 'node:path'
import { StoreError } from './errors.ts'

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants

/**
 * Ledgers and series hold command lines, parameters and names: only their owner may read them. SQLite gives its -wal and
 * -shm files the mode of the main file, and its owner.
 *
 * A file that exists is looked at but never opened here: closing a descriptor of it would drop the
 * locks that other connections of this process hold on it, as POSIX locks go with the first close.
 */
export function makePrivateFile(file: string): void {
  makePrivateDirectories(dirname(file))
  try {
    closeSync(openNew(file))
  } catch (error) {
    if (!isThere(error)) throw error
    refuseUnusable(file)
  }
  refuseStrangeCompanions(file)
}

/** Opens a file that was not there, for its owner only, to be written at its end or anywhere. */
export function openNew(file: string, where: 'at its end' | 'anywhere' = 'at its end'): number {
  const append = where === 'anywhere' ? 0 : O_APPEND
  return openSync(file, O_RDWR | append | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
}

/** For their owner only. Not mkdir's own `recursive`: under /proc, where mkdir answers ENOENT, Node 24 tries for ever. */
export function makePrivateDirectories(directory: string): void {
  if (existsSync(directory)) return
  makePrivateDirectories(dirname(directory))
  try {
    mkdirSync(directory, 0o700)
  } catch (error) {
    if (!isThere(error)) throw error
  }
}

/** Such as /tmp. */
const stickyForAll = 0o1002

/** Whether it failed because something stands there already. */
export function isThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

function refuseUnusable(file: string): void {
  refusePlanted(file)
  // Without this SQLite would open a read-only file, and only the first write would fail.
  accessSync(file, constants.R_OK | constants.W_OK)
}

/** What somebody else put there for us to use, and what is no file. */
export function refusePlanted(file: string): void {
  const link = lstatSync(file)
  if (link.isSymbolicLink() && !isTrusted(link))
    throw new StoreError('unreadable', file, 'this is a link that somebody else created')
  if (isPlanted(link, file))
    throw new StoreError(
      'unreadable',
      file,
      'somebody else created this file in a directory that everyone can write to',
    )
  if (!statSync(file).isFile())
    throw new StoreError(
      'not-a-ledger',
      file,
      'this is not a file; name a file with --db or JOBMETER_DB',
    )
}

const isTrusted = ({ uid }: Stats): boolean => uid === process.geteuid?.() || uid === 0

/** Whether somebody put this into a directory for all that is not theirs. */
function isPlanted(found: Stats, file: string): boolean {
  if (isTrusted(found)) return false
  const around = statSync(dirname(file))
  return found.uid !== around.uid && (around.mode & stickyForAll) === stickyForAll
}

/**
 * SQLite would wait for ever for somebody to write to a pipe, and would bring into the ledger what others put beside it
 * in a directory for all.
 */
export function refuseStrangeCompanions(file: string): void {
  for (const ending of ['-journal', '-wal', '-shm'])
    if (isStrange(`${file}${ending}`))
      throw new StoreError('unreadable', file, `${file}${ending} is not a file that SQLite made`)
}

function isStrange(file: string): boolean {
  try {
    const found = lstatSync(file, { throwIfNoEntry: false })
    return found !== undefined && (!found.isFile() || isPlanted(found, file))
  } catch {
    // What may not be looked at is for others to tell.
    return false
  }
}
