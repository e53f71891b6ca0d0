/** Why a ledger cannot be used. */
export type StoreErrorCode =
  | 'newer'
  | 'not-a-ledger'
  | 'unreadable'
  | 'locked'
  | 'full'
  | 'corrupt'
  | 'conflict'

/** A ledger that cannot be used. The message names the file, what is wrong and what to do about it. */
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

const messages: Record<Exclude<StoreErrorCode, 'newer'>, string> = {
  'not-a-ledger': 'this is not a jobmeter ledger; name another file with --db or JOBMETER_DB',
  unreadable:
    'the ledger cannot be opened for reading and writing; check that the file and its directory ' +
    'are yours to write, or name another file with --db or JOBMETER_DB',
  locked:
    'another process kept the ledger locked for too long; try again, and look for a stopped ' +
    'process that has the file open',
  full:
    'there is no space left to write to the ledger; free some, after which `jobmeter prune` ' +
    'can make the ledger smaller',
  corrupt:
    'the ledger is damaged; move it away to start a new one, or save what can be read with ' +
    "sqlite3's .recover",
  conflict: 'the ledger refused a record that contradicts what it holds',
}

/** A StoreError of the kind that fits what SQLite or the file system reported. */
export function asStoreError(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error
  const code = codeOf(error)
  const detail = error instanceof Error ? error.message : String(error)
  return new StoreError(code, path, `${messages[code]} (${detail})`, error)
}

function codeOf(error: unknown): Exclude<StoreErrorCode, 'newer'> {
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
function codeOfSqlite(resultCode: number): Exclude<StoreErrorCode, 'newer'> {
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
