import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { StoreError } from './errors.ts'

const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR } = constants

/**
 * Ledgers and series hold command lines, parameters and names: only their owner may read them. SQLite gives its -wal and
 * -shm files the mode of the main file, and its owner.
 *
 * A file that exists is looked at but never opened here: closing a descriptor of it would drop the
 * locks that other connections of this process hold on it, as POSIX locks go with the first close.
 */
export function makePrivateFile(file: string): void {
  makeDirectories(dirname(file))
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
  const descriptor = openSync(file, O_RDWR | append | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  giveAway(descriptor, dirname(file))
  return descriptor
}

/** For their owner only. Not mkdir's own `recursive`: under /proc, where mkdir answers ENOENT, Node 24 tries for ever. */
export function makeDirectories(directory: string): void {
  if (existsSync(directory)) return
  makeDirectories(dirname(directory))
  try {
    mkdirSync(directory, 0o700)
  } catch (error) {
    if (!isThere(error)) throw error
    return
  }
  if (!isRoot()) return
  const descriptor = openSync(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  giveAway(descriptor, dirname(directory))
  closeSync(descriptor)
}

const isRoot = (): boolean => process.geteuid?.() === 0

/**
 * Root that is told to keep a ledger in somebody's directory (`sudo jobmeter --db …`) leaves there what they can read and
 * remove. By descriptor, and only what is root's and has no other name: they may have put something else in its place.
 */
function giveAway(descriptor: number, around: string): void {
  if (!isRoot()) return
  const { uid, gid } = statSync(around)
  const own = fstatSync(descriptor)
  const isFresh = own.uid === 0 && own.size <= emptyBytes && own.nlink <= 2
  if (uid !== 0 && isFresh) fchownSync(descriptor, uid, gid)
}

/** Such as /tmp. */
const stickyForAll = 0o1002

/** A directory has a size when it is empty. */
const emptyBytes = 4096

/** Whether it failed because something stands there already. */
export function isThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

// Without this SQLite would open a read-only file, and only the first write would fail.
function refuseUnusable(file: string): void {
  const link = lstatSync(file)
  const isTrusted = link.uid === process.geteuid?.() || link.uid === 0
  if (link.isSymbolicLink() && !isTrusted)
    throw new StoreError('unreadable', file, 'this is a link that somebody else made')
  const around = statSync(dirname(file))
  const isPlanted =
    !isTrusted && link.uid !== around.uid && (around.mode & stickyForAll) === stickyForAll
  if (isPlanted)
    throw new StoreError('unreadable', file, 'somebody else made this file in a directory for all')
  if (!statSync(file).isFile())
    throw new StoreError(
      'not-a-ledger',
      file,
      'this is not a file; give the path of a file with --db or JOBMETER_DB',
    )
  accessSync(file, constants.R_OK | constants.W_OK)
}

/** SQLite would wait for ever for somebody to write to a pipe. */
export function refuseStrangeCompanions(file: string): void {
  for (const ending of ['-journal', '-wal', '-shm'])
    if (isStrange(`${file}${ending}`))
      throw new StoreError('unreadable', file, `${file}${ending} is not a file that SQLite made`)
}

function isStrange(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isFile() === false
  } catch {
    // What may not be looked at is for others to tell.
    return false
  }
}
