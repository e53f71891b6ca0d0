import {
  tokenRoles,
  tokenScopes,
  type ApiToken,
  type TokenRole,
  type TokenScope,
} from '../../model/api-token.ts'
import { MalformedRow } from '../errors.ts'
import type { Connection } from '../sqlite/connection.ts'
import { list, number, numberOrNull, text, type Row } from '../sqlite/row.ts'

export interface StoredToken {
  readonly token: ApiToken
  readonly hash: string
}

/** The tokens of a server. Several processes may use the file at once. */
export class TokenStore {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  add({ token, hash }: StoredToken): void {
    const { id, name, user, role, scopes, createdAt, expiresAt } = token
    this.#connection.run(
      `INSERT INTO token (id, hash, name, user, role, scopes, created_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      hash,
      name,
      user,
      role,
      JSON.stringify(scopes),
      createdAt,
      expiresAt,
    )
  }

  /** Newest first. */
  list(): ApiToken[] {
    const sql = 'SELECT * FROM token ORDER BY created_at DESC, id'
    return this.#connection.mapSound(sql, [], tokenOf)
  }

  find(id: string): StoredToken | undefined {
    const row = this.#connection.row('SELECT * FROM token WHERE id = ?', id)
    return row && this.#connection.guard(() => ({ token: tokenOf(row), hash: text(row, 'hash') }))
  }

  /** False if there is none that could be revoked. */
  revoke(id: string, at: number): boolean {
    const sql = 'UPDATE token SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL'
    return this.#connection.run(sql, at, id).changes === 1
  }

  used(id: string, at: number): void {
    this.#connection.run('UPDATE token SET last_used_at = ? WHERE id = ?', at, id)
  }

  isInPlace(): boolean {
    return this.#connection.isInPlace
  }

  close(): void {
    this.#connection.close()
  }
}

const tokenOf = (row: Row): ApiToken => ({
  id: text(row, 'id'),
  name: text(row, 'name'),
  user: text(row, 'user'),
  role: roleOf(row),
  scopes: list(row, 'scopes', isScope),
  createdAt: number(row, 'created_at'),
  expiresAt: number(row, 'expires_at'),
  lastUsedAt: numberOrNull(row, 'last_used_at'),
  revokedAt: numberOrNull(row, 'revoked_at'),
})

const isScope = (entry: unknown): entry is TokenScope =>
  tokenScopes.some((scope) => scope === entry)

function roleOf(row: Row): TokenRole {
  const known = tokenRoles.find((role) => role === text(row, 'role'))
  if (known === undefined)
    throw new MalformedRow('a token has a role that this build does not know')
  return known
}
