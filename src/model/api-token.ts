/** What a token may be used for: to look, to act (submit, cancel, acknowledge), to read `/metrics`. */
export const tokenScopes = ['read', 'act', 'metrics'] as const
export type TokenScope = (typeof tokenScopes)[number]

/** Whether its holder sees his own jobs or everybody's. */
export const tokenRoles = ['user', 'administrator'] as const
export type TokenRole = (typeof tokenRoles)[number]

/** A token that lets a program use the server in the name of a user. The secret itself is not known. */
export interface ApiToken {
  /** 12 hexadecimal digits. */
  readonly id: string
  readonly name: string
  readonly user: string
  readonly role: TokenRole
  readonly scopes: readonly TokenScope[]
  /** Seconds since 1970. */
  readonly createdAt: number
  readonly expiresAt: number
  /** To the minute; null if it was never used. */
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
}

export type TokenState = 'valid' | 'expired' | 'revoked'

export function tokenState({ expiresAt, revokedAt }: ApiToken, now: number): TokenState {
  if (revokedAt !== null) return 'revoked'
  return now < expiresAt ? 'valid' : 'expired'
}
