import { createSecureContext } from 'node:tls'
import { whyNot } from '../model/reading.ts'
import { settingsText } from '../service/settings-file.ts'
import { UserError } from '../service/user-error.ts'
import { backgroundClock } from '../system/real-clock.ts'
import { readSecretFile, readSecretText } from '../system/secret-file.ts'
import type { System } from '../system/system.ts'
import { viewerFor } from './access/people.ts'
import { ownerOfAll } from './access/viewer.ts'
import type { Place, ServerConfig, TlsFiles } from './config/server-config.ts'
import { Buckets } from './limits/buckets.ts'
import { hostsOf } from './limits/own-hosts.ts'
import type { RequestLog } from './limits/request-log.ts'
import type { WallSettings } from './limits/wall.ts'
import type { TlsPair } from './serve.ts'
import { Cookies } from './sign-in/cookies.ts'
import { OidcSignIn } from './sign-in/oidc.ts'
import { ProxySignIn } from './sign-in/proxy.ts'
import { Secret } from './sign-in/secret.ts'
import { Sessions } from './sign-in/sessions.ts'
import { TokenWatch } from './sign-in/token-watch.ts'
import type { SignIn } from './sign-in/sign-in.ts'

export interface WallParts {
  readonly system: System
  readonly config: ServerConfig
  /** Read again while the server runs: who may see what. */
  readonly people: () => ServerConfig['people']
  readonly peopleChange: SignIn['peopleChange']
  /** With the port that it got. */
  readonly place: Place
  readonly token: string
  readonly findToken: SignIn['findToken']
  /** The same without counting as a use. */
  readonly isTokenGood: (text: string) => boolean
  readonly log: RequestLog
}

/** In the hands of one person; of each of many. */
const oneRate = 1000
const teamRate = 100
/** How many seconds of the rate may come at once. */
const burstSeconds = 5

/** Wrong tokens of one address: ten, and then one every six seconds. */
const attemptRate = { perSecond: 1 / 6, burst: 10 }
const beginningRate = { perSecond: 1, burst: 60 }

export const isTeam = ({ oidc, proxy }: ServerConfig): boolean => oidc !== null || proxy !== null

/** What a configuration makes of all that stands before the routes. */
export function wallSettings(parts: WallParts): WallSettings {
  const { system, config, place, log } = parts
  const now = () => system.clock.monotonicSeconds()
  const perSecond = config.limits.requestsPerSecond ?? (isTeam(config) ? teamRate : oneRate)
  const isSecure = config.tls !== null || config.address?.protocol === 'https:'
  return {
    signIn: signInFor(parts, isSecure),
    hosts: hostsOf(place, config),
    isSecure,
    limits: config.limits,
    requests: new Buckets({ perSecond, burst: Math.max(1, perSecond * burstSeconds) }, now),
    log,
  }
}

function signInFor(parts: WallParts, isSecure: boolean): SignIn {
  const { system, config, people, peopleChange, place, token, findToken } = parts
  const now = () => system.clock.monotonicSeconds()
  const owner = ownerOfAll(system.host.user)
  const local = isTeam(config) ? null : { secret: new Secret(token), viewer: owner }
  return {
    local,
    oidc: oidcFor(config, now),
    proxy: config.proxy === null ? null : new ProxySignIn(config.proxy),
    findToken,
    tokenWatch: new TokenWatch(backgroundClock, parts.isTokenGood),
    viewerFor: (person) => viewerFor(person, people()),
    peopleChange,
    sessions: new Sessions(system.clock, config.sessionSeconds),
    cookies: new Cookies(place.port, isSecure),
    attempts: new Buckets(attemptRate, now),
    beginnings: new Buckets(beginningRate, now),
  }
}

function oidcFor({ oidc, address }: ServerConfig, now: () => number): OidcSignIn | null {
  if (oidc === null || address === null) return null
  const secret = readSecretFile(oidc.clientSecretFile)
  if (secret.kind !== 'ok') throw new UserError(whyNot(secret), 'usage')
  return new OidcSignIn(oidc, secret.value, address, now)
}

/** The certificate and the key as they stand in their files now. */
export function readTls(system: System, { certificate, key }: TlsFiles): TlsPair {
  const secret = readSecretText(key)
  if (secret.kind !== 'ok') throw new UserError(whyNot(secret), 'usage')
  const pair = { certificate: settingsText(system, certificate), key: secret.value }
  try {
    createSecureContext({ cert: pair.certificate, key: pair.key })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UserError(
      `${certificate} and ${key} are not a certificate and its key, as PEM (${why})`,
      'usage',
    )
  }
  return pair
}
