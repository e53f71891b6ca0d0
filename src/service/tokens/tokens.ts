import { dirname, join } from 'node:path'
import type { ApiToken } from '../../model/api-token.ts'
import { openTokens } from '../../store/tokens/open-tokens.ts'
import type { TokenStore } from '../../store/tokens/token-store.ts'
import { newSecret, secretHash } from '../../system/token-secret.ts'
import type { System } from '../../system/system.ts'
import { UserError } from '../user-error.ts'

/** Beside the ledger, never in it: a ledger is copied and shared, and tokens must not travel with it. */
export const tokensDatabase = (ledger: string): string => join(dirname(ledger), 'tokens.db')

export interface NewToken extends Pick<ApiToken, 'name' | 'user' | 'role' | 'scopes'> {
  readonly lastsSeconds: number
}

const idDigits = 12

/** Makes a token. Its text is known to nobody but who gets this answer. */
export function createToken(
  system: System,
  ledger: string,
  { lastsSeconds, ...wanted }: NewToken,
): { readonly token: ApiToken; readonly text: string } {
  if (wanted.name.trim() === '') throw new UserError('the token needs a name', 'usage')
  if (wanted.user.trim() === '') throw new UserError('the token needs a user', 'usage')
  refuseOdd('name', wanted.name)
  refuseOdd('user', wanted.user)
  if (wanted.scopes.length === 0) throw new UserError('the token needs a scope', 'usage')
  const createdAt = system.clock.wallSeconds()
  const secret = newSecret()
  const token: ApiToken = {
    ...wanted,
    scopes: [...new Set(wanted.scopes)],
    id: system.randomId().slice(0, idDigits),
    createdAt,
    expiresAt: createdAt + lastsSeconds,
    lastUsedAt: null,
    revokedAt: null,
  }
  withStore(openTokens(tokensDatabase(ledger)), (store) =>
    store.add({ token, hash: secretHash(secret) }),
  )
  return { token, text: `jm_${token.id}_${secret}` }
}

const mostCharacters = 100

/** It is shown in lists and logs. */
function refuseOdd(what: string, text: string): void {
  if (Array.from(text).length > mostCharacters || /\p{C}/u.test(text))
    throw new UserError(
      `the ${what} of a token has at most ${mostCharacters} characters, all of them printable`,
      'usage',
    )
}

/** All that were ever made, newest first. `onProblem` hears of those that cannot be read. */
export function listTokens(
  system: System,
  ledger: string,
  onProblem: (problem: string) => void = () => {},
): readonly ApiToken[] {
  const database = tokensDatabase(ledger)
  if (system.files.isMissing(database)) return []
  return withStore(openTokens(database, { onProblem }), (store) => store.list())
}

/** By its id, or by its name if only one valid token has it. */
export function revokeToken(system: System, ledger: string, typed: string): ApiToken {
  const now = system.clock.wallSeconds()
  const valid = listTokens(system, ledger).filter(({ revokedAt }) => revokedAt === null)
  // Who has the text has the id.
  const id = /^jm_([0-9a-f]+)_/.exec(typed)?.[1] ?? typed
  const [byId] = valid.filter((token) => token.id === id)
  const byName = valid.filter(({ name }) => name === typed)
  const [meant = byName[0]] = byId === undefined ? [] : [byId]
  if (meant === undefined)
    throw new UserError(`no token has the id or name "${id}". See jobmeter tokens list`)
  if (byId === undefined && byName.length > 1)
    throw new UserError(
      `${byName.length} tokens are named "${typed}": ${byName.map((token) => token.id).join(', ')}. Name one of these ids`,
    )
  withStore(openTokens(tokensDatabase(ledger)), (store) => store.revoke(meant.id, now))
  return { ...meant, revokedAt: now }
}

function withStore<T>(store: TokenStore, use: (store: TokenStore) => T): T {
  try {
    return use(store)
  } finally {
    store.close()
  }
}
