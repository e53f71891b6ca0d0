import type { ApiToken } from '../../model/api-token.ts'
import type { Person } from '../access/people.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Buckets } from '../limits/buckets.ts'
import type { Cookies } from './cookies.ts'
import type { OidcSignIn } from './oidc.ts'
import type { ProxySignIn } from './proxy.ts'
import type { Secret } from './secret.ts'
import type { Sessions } from './sessions.ts'
import type { TokenWatch } from './token-watch.ts'

/** All the ways in which somebody can say who they are. */
export interface SignIn {
  /** On one's own machine: the token in the address that `serve` printed. */
  readonly local: { readonly secret: Secret; readonly viewer: Viewer } | null
  readonly oidc: OidcSignIn | null
  readonly proxy: ProxySignIn | null
  /** Null: there is none like this, or it has expired or was revoked. */
  readonly findToken: (text: string) => ApiToken | null
  readonly tokenWatch: TokenWatch
  /** What the configuration lets somebody see now. */
  readonly viewerFor: (person: Person) => Viewer
  /** Aborted when the configuration says anew who may see what. */
  readonly peopleChange: () => AbortSignal
  readonly sessions: Sessions
  readonly cookies: Cookies
  /** Wrong tokens by address: whoever guesses is soon slowed down. */
  readonly attempts: Buckets
  /** Sign-ins at the provider that were begun, by address: each is kept for a while. */
  readonly beginnings: Buckets
}

/** For whoever is not signed in. */
export function howToSignIn({ local, oidc }: SignIn): string {
  if (local !== null) return 'Sign in: open the address that `jobmeter serve` printed.'
  if (oidc !== null) return 'Sign in at /sign-in/oidc, or send a token of `jobmeter tokens`.'
  return 'Sign in at the proxy in front of this server, or send a token of `jobmeter tokens`.'
}
