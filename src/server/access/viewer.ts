import { tokenScopes, type TokenScope } from '../../model/api-token.ts'

/** What somebody may do. */
export type Role = 'administrator' | 'manager' | 'user'

/** What a way of signing in was made for: a token for metrics reads no jobs. */
export const scopes = tokenScopes
export type Scope = TokenScope

/** Who asks. */
export interface Viewer {
  /** The name that their records have. */
  readonly user: string
  readonly role: Role
  /** Whose jobs they may see besides their own; null: everybody's. */
  readonly users: readonly string[] | null
  /** Accounts of Slurm whose jobs they may see, whoever started them. */
  readonly accounts: readonly string[]
  readonly scopes: ReadonlySet<Scope>
}

/** The one person whose ledger is served on their own machine. */
export const ownerOfAll = (user: string): Viewer => ({
  user,
  role: 'administrator',
  users: null,
  accounts: [],
  scopes: new Set(scopes),
})

/** Somebody who sees what is their own. */
export const plainUser = (user: string): Viewer => ({
  ...ownerOfAll(user),
  role: 'user',
  users: [],
})
