import type * as OpenIdClient from 'openid-client'
import type { OidcConfig } from '../config/server-config.ts'
import { isUserName, type Person } from '../access/people.ts'
import { Problem } from '../problem.ts'
import { Flows } from './flows.ts'
import { ownPath } from './own-path.ts'

const callbackPath = '/sign-in/oidc/callback'

/** In seconds. */
const providerAnswersWithin = 10
/** In seconds: two clocks are never the same. */
const clocksDiffer = 10

/** Sign-in at a provider of OpenID Connect: authorization code, PKCE, state and nonce. */
export class OidcSignIn {
  readonly flows: Flows
  readonly #config: OidcConfig
  readonly #secret: string
  readonly #address: URL
  #provider: Promise<Provider> | undefined

  /** `address`: what people type to come here. */
  constructor(config: OidcConfig, secret: string, address: URL, now: () => number) {
    this.#config = config
    this.#secret = secret
    this.#address = address
    this.flows = new Flows(now)
  }

  /** Where to send the browser, and what it is to show when it comes back. */
  async begin(next: string): Promise<{ readonly address: string; readonly flow: string }> {
    const { client, provider } = await this.#discovered()
    const verifier = client.randomPKCECodeVerifier()
    const state = client.randomState()
    const nonce = client.randomNonce()
    const address = client.buildAuthorizationUrl(provider, {
      redirect_uri: new URL(callbackPath, this.#address).href,
      scope: this.#config.scopes.join(' '),
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    })
    const flow = this.flows.begin({ state, nonce, verifier, next: ownPath(next, this.#address) })
    return { address: address.href, flow }
  }

  /** Who came back. `search`: all that the provider added to the address. */
  async end(
    id: string | undefined,
    search: string,
  ): Promise<{ readonly person: Person; readonly next: string }> {
    const flow = id === undefined ? undefined : this.flows.take(id)
    if (flow === undefined) throw refusal('a sign-in that was not begun here, or is over')
    const { client, provider } = await this.#discovered()
    const back = new URL(`${callbackPath}${search}`, this.#address)
    try {
      const tokens = await client.authorizationCodeGrant(provider, back, {
        pkceCodeVerifier: flow.verifier,
        expectedState: flow.state,
        expectedNonce: flow.nonce,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw refusal('no ID token')
      const told = await this.#allClaims({ client, provider }, tokens.access_token, claims)
      return { person: this.#personOf(told), next: flow.next }
    } catch (error) {
      throw error instanceof Problem ? error : refusal(codeOf(error))
    }
  }

  /** Where the provider signs people out too; null where it does not. */
  async signOutAddress(): Promise<string | null> {
    const { client, provider } = await this.#discovered()
    if (provider.serverMetadata().end_session_endpoint === undefined) return null
    return client.buildEndSessionUrl(provider, { post_logout_redirect_uri: this.#address.href })
      .href
  }

  /** Some providers tell names and groups only when they are asked once more. */
  async #allClaims(
    { client, provider }: Provider,
    accessToken: string,
    claims: OpenIdClient.IDToken,
  ): Promise<Claims> {
    const { userClaim, groupsClaim } = this.#config
    const isWhole = claims[userClaim] !== undefined && claims[groupsClaim] !== undefined
    if (isWhole || provider.serverMetadata().userinfo_endpoint === undefined) return claims
    return { ...(await client.fetchUserInfo(provider, accessToken, claims.sub)), ...claims }
  }

  #personOf(claims: Claims): Person {
    const { userClaim, groupsClaim } = this.#config
    const user = claims[userClaim]
    if (typeof user !== 'string' || !isUserName(user)) throw refusal(`no name in ${userClaim}`)
    const groups = claims[groupsClaim]
    const listed: readonly unknown[] = Array.isArray(groups) ? groups : [groups]
    return { user, groups: listed.filter((group) => typeof group === 'string') }
  }

  /** Asked when somebody first signs in: the server starts without its provider, and asks again after a failure. */
  async #discovered(): Promise<Provider> {
    this.#provider ??= discover(this.#config, this.#secret)
    try {
      return await this.#provider
    } catch (error) {
      this.#provider = undefined
      throw new Problem(
        503,
        'The sign-in provider cannot be reached. Try again in a while.',
        {},
        `the provider cannot be reached: ${codeOf(error)}`,
      )
    }
  }
}

type Claims = Readonly<Record<string, unknown>>

interface Provider {
  readonly client: typeof OpenIdClient
  readonly provider: OpenIdClient.Configuration
}

async function discover({ issuer, clientId }: OidcConfig, secret: string): Promise<Provider> {
  const client = await import('openid-client')
  const provider = await client.discovery(
    issuer,
    clientId,
    { client_secret: secret, [client.clockTolerance]: clocksDiffer },
    undefined,
    {
      timeout: providerAnswersWithin,
      execute: [
        // The signature of an ID token is checked even though it came straight from the provider.
        client.enableNonRepudiationChecks,
        ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    },
  )
  return { client, provider }
}

const refusal = (reason: string): Problem =>
  new Problem(401, 'The sign-in did not work. Go to / and begin again.', {}, reason)

/** Never the message, which may quote what was received. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
