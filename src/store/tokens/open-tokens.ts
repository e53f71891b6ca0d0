import type { FileSettings } from '../sqlite/open-private.ts'
import { openStepped, readStepped } from '../sqlite/open-stepped.ts'
import { TokenStore } from './token-store.ts'
import { refuseUntrusted } from './trusted-tokens.ts'

/** Marks the file as ours: "JMtk". */
const applicationId = 0x4a4d746b

/** Of a secret only its hash is kept: who reads the file cannot use what is in it. */
const tokens1 = `
  CREATE TABLE token (
    id TEXT PRIMARY KEY, hash TEXT NOT NULL, name TEXT NOT NULL, user TEXT NOT NULL,
    role TEXT NOT NULL, scopes TEXT NOT NULL, created_at REAL NOT NULL, expires_at REAL NOT NULL,
    last_used_at REAL, revoked_at REAL
  ) STRICT;`

const kind = { applicationId, steps: [tokens1] }

/** Opens the tokens of a server, and makes the file where there is none. */
export function openTokens(path: string, settings: FileSettings = {}): TokenStore {
  refuseUntrusted(path)
  return checked(
    path,
    openStepped(path, kind, settings, (connection) => new TokenStore(connection)),
  )
}

/**
 * The same to look tokens up: nothing is written, so that a full disk keeps nobody out. None where the file is still
 * empty. One that `isStill` shows nothing that happens to the file later, and is not to be kept.
 */
export function openTokensToRead(
  path: string,
): { readonly store: TokenStore; readonly isStill: boolean } | undefined {
  refuseUntrusted(path)
  const read = readStepped(path, kind)
  if (read === undefined) return undefined
  const { connection, isStill } = read
  return { store: checked(path, new TokenStore(connection)), isStill }
}

/** Again: SQLite opens files by their names, and another may have been put there meanwhile. */
function checked(path: string, store: TokenStore): TokenStore {
  try {
    refuseUntrusted(path)
    return store
  } catch (error) {
    store.close()
    throw error
  }
}
