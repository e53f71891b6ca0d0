import type { MiddlewareHandler } from 'hono'
import type { LimitsConfig } from '../config/server-config.ts'
import type { ServerEnv } from '../served.ts'
import { findAsker } from '../sign-in/asker.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import { tokenInAddress } from '../sign-in/token-in-address.ts'
import { boundBodies } from './body-limit.ts'
import type { Buckets } from './buckets.ts'
import { onlyHeads } from './only-heads.ts'
import { ownHosts } from './own-hosts.ts'
import { findAddress } from './remote-address.ts'
import { boundAtOnce, boundRate } from './request-rate.ts'
import type { RequestLog } from './request-log.ts'
import { addSafeHeaders } from './safe-headers.ts'
import { sameOrigin } from './same-origin.ts'
import { plainTargets } from './targets.ts'
import { tellAnswers } from './tell-answers.ts'

export interface WallSettings {
  readonly signIn: SignIn
  /** As in the header `Host`: whoever names another was led here by somebody else's name server. */
  readonly hosts: ReadonlySet<string>
  /** Whether browsers come by https, here or at a proxy. */
  readonly isSecure: boolean
  readonly limits: LimitsConfig
  /** Of each person, or of each address where nobody is signed in. */
  readonly requests: Buckets
  readonly log: RequestLog
}

/** All that stands between a request and the routes, in the order in which a request meets it. */
export function wall(settings: WallSettings): readonly MiddlewareHandler<ServerEnv>[] {
  const { signIn, hosts, isSecure, limits, requests, log } = settings
  return [
    findAddress((address) => signIn.proxy?.isTrusted(address) ?? false),
    tellAnswers(log),
    addSafeHeaders(isSecure),
    onlyHeads,
    plainTargets,
    ownHosts(hosts),
    boundAtOnce(limits.requestsAtOnce),
    findAsker(signIn, log),
    boundRate(requests),
    sameOrigin(isSecure ? 'https' : 'http'),
    boundBodies(limits),
    tokenInAddress(signIn),
  ]
}
