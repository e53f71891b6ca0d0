/**
 * Why a ledger, or the database of a node, cannot be used.
 *
 * @see StoreError
 */
export type StoreErrorCode =
  | 'newer'
  | 'older'
  | 'not-a-ledger'
  | 'not-a-node-database'
  | 'unreadable'
  | 'locked'
  | 'full'
  | 'corrupt'
  | 'conflict'

/**
 * A ledger that cannot be used. The message names the file, what is wrong and what to do about it.
 *
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs'
 * import { measure, StoreError, type StoreErrorCode } from 'jobmeter'
 *
 * writeFileSync('notes.txt', 'this is not a ledger, and is longer than the head of one would be. '.repeat(9))
 * try {
 *   await measure(['true'], { ledger: 'notes.txt' })
 * } catch (error) {
 *   if (!(error instanceof StoreError)) throw error
 *   const code: StoreErrorCode = error.code
 *   console.log(code, error.path, error.message)
 * }
 * ```
 */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode
  readonly path: string

  constructor(code: StoreErrorCode, path: string, message: string, cause?: unknown) {
    super(`${path}: ${message}`, { cause })
    this.code = code
    this.path = path
  }
}

/** A stored row that this build cannot have written. */
export class MalformedRow extends Error {
  override readonly name = 'MalformedRow'
}

/** What a file is for. */
export type StoreKind = 'ledger' | 'node database' | 'series file'

/** How another one is named. */
const another: Readonly<Record<StoreKind, string>> = {
  ledger: 'another file with --db or JOBMETER_DB',
  'node database': 'another file with --db or JOBMETER_NODE_DB',
  'series file': 'another directory with --output-dir',
}

type Found = Exclude<StoreErrorCode, 'newer' | 'older' | 'not-a-node-database'>

const messages: Readonly<Record<Found, (kind: StoreKind) => string>> = {
  'not-a-ledger': (kind) => `this is not a jobmeter ${kind}; name ${another[kind]}`,
  unreadable: (kind) =>
    `the ${kind} cannot be opened for reading and writing; check that the file and its directory ` +
    `are yours to write, or name ${another[kind]}`,
  locked: (kind) =>
    `another process kept the ${kind} locked for too long; try again, and look for a stopped ` +
    'process that has the file open',
  full: (kind) =>
    `there is no space left to write to the ${kind}; free some` +
    (kind === 'ledger' ? ', after which `jobmeter prune` can make the ledger smaller' : ''),
  corrupt: (kind) =>
    kind === 'series file'
      ? "the series file is damaged; sqlite3's .recover may save some of its samples"
      : `the ${kind} is damaged; move it away to start a new one, or save what can be read with ` +
        "sqlite3's .recover",
  conflict: (kind) => `the ${kind} refused a record that contradicts what it holds`,
}

/** A StoreError of the kind that fits what SQLite or the file system reported. */
export function asStoreError(error: unknown, path: string, kind: StoreKind = 'ledger'): StoreError {
  if (error instanceof StoreError) return error
  const found = codeOf(error)
  const code = found === 'not-a-ledger' && kind === 'node database' ? 'not-a-node-database' : found
  const detail = error instanceof Error ? error.message : String(error)
  const message = lacksDescriptors(error) ? tooManyFiles : messages[found](kind)
  return new StoreError(code, path, `${message} (${detail})`, error)
}

const tooManyFiles = 'too many files are open; ulimit -n shows the limit and can raise it'

/** Nothing is wrong with the file then. */
const lacksDescriptors = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')

function codeOf(error: unknown): Found {
  if (error instanceof MalformedRow) return 'corrupt'
  if (!(error instanceof Error)) return 'unreadable'
  if ('errcode' in error && typeof error.errcode === 'number') return codeOfSqlite(error.errcode)
  return 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
    ? 'full'
    : 'unreadable'
}

// Growing the shared-memory file of the log on a full disk is reported so, not as SQLITE_FULL.
const sharedMemorySizeError = 4874

/** SQLite's result codes, https://sqlite.org/rescode.html; the low byte is the kind. */
function codeOfSqlite(resultCode: number): Found {
  if (resultCode === sharedMemorySizeError) return 'full'
  switch (resultCode & 0xff) {
    case 5: // BUSY
    case 6: // LOCKED
      return 'locked'
    case 13: // FULL
      return 'full'
    case 26: // NOTADB
      return 'not-a-ledger'
    case 19: // CONSTRAINT
      return 'conflict'
    case 1: // ERROR: a table or column that every ledger of this version has is not there
    case 11: // CORRUPT
      return 'corrupt'
    default: // PERM, READONLY, IOERR, CANTOPEN and what is rarer
      return 'unreadable'
  }
}
