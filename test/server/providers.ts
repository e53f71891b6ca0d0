import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type JWTPayload,
} from 'jose'
import OidcProvider from 'oidc-provider'
import { vi } from 'vitest'
import { ask, type Answer, type ServedProgram } from './served-program.ts'

/** What people type to come to the server of these tests: some proxy would do TLS for it. */
export const address = 'https://jobs.test'
const host = 'jobs.test'
export const client = { id: 'jobmeter', secret: 'a-secret-of-the-client-that-is-long-enough' }

/** A server on this machine with an address that is known before it can answer. */
async function open(): Promise<{ server: Server; issuer: string }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const closing = (server: Server) => ({
  [Symbol.dispose]: () => {
    server.close()
    server.closeAllConnections()
  },
})

/** A whole provider. `nameIn`: where it tells names and groups; some do only when they are asked once more. */
export async function realProvider(nameIn: 'id token' | 'userinfo') {
  const { server, issuer } = await open()
  // It says that it is not for production, each time.
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const provider = new OidcProvider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${address}/sign-in/oidc/callback`],
        post_logout_redirect_uris: [`${address}/`],
      },
    ],
    claims: { profile: ['preferred_username', 'groups'] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({
        sub: `subject-of-${id}`,
        preferred_username: id,
        groups: id === 'ada' ? ['staff'] : [],
      }),
    }),
    conformIdTokenClaims: nameIn === 'userinfo',
    cookies: { keys: ['keys-of-the-test'] },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
  })
  warnings.mockRestore()
  server.on('request', provider.callback())
  return { issuer, ...closing(server) }
}

/** A browser: keeps cookies of each server, and follows where it is sent. */
export class Browser {
  readonly #served: ServedProgram
  readonly #own = new Map<string, string>()
  readonly #theirs = new Map<string, string>()

  constructor(served: ServedProgram) {
    this.#served = served
  }

  /** Asks the server by its public name. */
  async ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const answer = await ask(this.#served.port, path, {
      headers: { host, cookie: shown(this.#own), ...headers },
    })
    keep(this.#own, answer.headers['set-cookie'] ?? [])
    return answer
  }

  async post(path: string): Promise<Answer> {
    const headers = {
      host,
      cookie: shown(this.#own),
      origin: address,
      'content-type': 'application/json',
    }
    return ask(this.#served.port, path, { method: 'POST', headers, body: '{}' })
  }

  /** What the server lets this browser keep, with all that it says of it. */
  async begin(next = '/'): Promise<{ readonly to: URL; readonly cookies: readonly string[] }> {
    const answer = await this.ask(`/sign-in/oidc?next=${encodeURIComponent(next)}`)
    return {
      to: new URL(answer.headers.location ?? ''),
      cookies: answer.headers['set-cookie'] ?? [],
    }
  }

  /** Signs in at the provider as somebody, and answers the path that it sends the browser back to. */
  async signInAt(to: URL, user: string): Promise<string> {
    let at = to
    for (let step = 0; step < 12; step++) {
      const isPage = at.pathname.startsWith('/interaction/')
      const answer = await fetch(at, {
        redirect: 'manual',
        headers: { cookie: shown(this.#theirs) },
        ...(isPage && {
          method: 'POST',
          body: new URLSearchParams({
            prompt: step < 3 ? 'login' : 'consent',
            login: user,
            password: 'x',
          }),
        }),
      })
      keep(this.#theirs, answer.headers.getSetCookie())
      at = new URL(answer.headers.get('location') ?? '', at)
      if (at.hostname === host) return `${at.pathname}${at.search}`
    }
    throw new Error('the provider did not send the browser back')
  }
}

function keep(jar: Map<string, string>, cookies: readonly string[]): void {
  for (const cookie of cookies) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (value === '') jar.delete(name)
    else jar.set(name, value)
  }
}

const shown = (jar: ReadonlyMap<string, string>): string =>
  [...jar].map(([name, value]) => `${name}=${value}`).join('; ')

/** A provider that answers whatever ID token a test wants. */
export async function forgingProvider() {
  const { server, issuer } = await open()
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const other = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'first', alg: 'RS256', use: 'sig' }
  const publicPem = new TextEncoder().encode(await exportSPKI(publicKey))
  let idToken = ''
  const pages: Readonly<Record<string, () => object>> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    }),
    '/jwks': () => ({ keys: [jwk] }),
    '/token': () => ({ access_token: 'a', token_type: 'bearer', id_token: idToken }),
  }
  const answer: RequestListener = (request, response) => {
    const page = pages[request.url ?? '']
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(page?.() ?? {}))
  }
  server.on('request', answer)
  const now = () => Math.floor(Date.now() / 1000)
  const claimsOf = (nonce: string, changed: JWTPayload): JWTPayload => ({
    iss: issuer,
    aud: client.id,
    sub: 'subject-of-ada',
    preferred_username: 'ada',
    nonce,
    iat: now(),
    exp: now() + 300,
    ...changed,
  })
  return {
    issuer,
    /** Makes the next token, of these claims. */
    async forge(how: Forgery, nonce: string): Promise<void> {
      const claims = claimsOf(nonce, how.claims?.(now()) ?? {})
      const by = how.by ?? 'its key'
      const signed = (alg: string, key: Parameters<SignJWT['sign']>[0]) =>
        new SignJWT(claims).setProtectedHeader({ alg, kid: 'first' }).sign(key)
      idToken =
        by === 'nobody'
          ? new UnsecuredJWT(claims).encode()
          : by === 'the public key'
            ? await signed('HS256', publicPem)
            : by === 'the secret of the client'
              ? await signed('HS256', new TextEncoder().encode(client.secret))
              : await signed('RS256', by === 'its key' ? privateKey : other.privateKey)
    },
    ...closing(server),
  }
}

export interface Forgery {
  readonly by?: 'its key' | 'another key' | 'nobody' | 'the public key' | 'the secret of the client'
  readonly claims?: (nowSeconds: number) => JWTPayload
}
