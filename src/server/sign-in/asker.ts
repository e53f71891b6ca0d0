import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Asker } from '../access/asker.ts'
import { ownerOfAll, plainUser, type Viewer } from '../access/viewer.ts'
import { addressKey } from '../limits/buckets.ts'
import { peerAddress } from '../limits/remote-address.ts'
import type { RequestLog } from '../limits/request-log.ts'
import { Problem } from '../problem.ts'
import type { ServerEnv } from '../served.ts'
import type { SignIn } from './sign-in.ts'

/** What somebody may see can change meanwhile, and so they are asked again so often. */
const askAgainSeconds = 900

/** Finds out who asks; whoever says nothing stays nobody. */
export const findAsker = (signIn: SignIn, log: RequestLog) =>
  createMiddleware<ServerEnv>(async (context, next) => {
    context.set('asker', askerOf(signIn, log, context))
    return next()
  })

function askerOf(signIn: SignIn, log: RequestLog, context: Context<ServerEnv>): Asker | undefined {
  // Who shows a token means it: nothing else that came along counts.
  const authorization = context.req.header('authorization')
  if (authorization !== undefined) return byToken(signIn, context, authorization)
  return byProxy(signIn, log, context) ?? byCookie(signIn, context)
}

function byToken(
  signIn: SignIn,
  context: Context<ServerEnv>,
  authorization: string,
): Asker | undefined {
  const [, token = ''] = /^Bearer ([\w.~+/=-]{1,512})$/i.exec(authorization) ?? []
  const viewer = token === '' ? undefined : viewerByToken(signIn, token)
  if (viewer === undefined) {
    countAttempt(signIn, context)
    context.set('refusal', 'a wrong token')
    return undefined
  }
  const stay = (): AbortSignal => {
    const until = untilAskedAgain(signIn)
    if (isLocal(signIn, token)) return until
    return AbortSignal.any([until, signIn.tokenWatch.whileGood(token, askAgainSeconds)])
  }
  return { viewer, by: 'bearer', stay }
}

/** The one in the address that `serve` printed, which lasts as long as the server. */
const isLocal = ({ local }: SignIn, token: string): boolean => local?.secret.is(token) === true

function viewerByToken(signIn: SignIn, token: string): Viewer | undefined {
  const { local, findToken } = signIn
  if (local !== null && isLocal(signIn, token)) return local.viewer
  const found = findToken(token)
  if (found === null) return undefined
  const { user, role, scopes } = found
  const owner = role === 'administrator' ? ownerOfAll(user) : plainUser(user)
  return { ...owner, scopes: new Set(scopes) }
}

function byProxy(signIn: SignIn, log: RequestLog, context: Context<ServerEnv>): Asker | undefined {
  const { proxy, viewerFor } = signIn
  const address = peerAddress(context)
  const says = proxy?.read(address, (name) => context.req.header(name)) ?? { kind: 'nothing' }
  if (says.kind === 'disbelieved') {
    const { method } = context.req
    log.tell({ method, route: '-', status: null, user: null, address, reason: says.reason })
  }
  if (says.kind !== 'person') return undefined
  const viewer = viewerFor(says.person)
  return { viewer, by: 'proxy', stay: () => untilAskedAgain(signIn) }
}

function byCookie(signIn: SignIn, context: Context<ServerEnv>): Asker | undefined {
  const { cookies, sessions } = signIn
  const id = cookies.session(context)
  const session = id === undefined ? undefined : sessions.find(id)
  if (session === undefined) return undefined
  return {
    viewer: session.viewer(),
    by: 'cookie',
    stay: () => AbortSignal.any([session.over, untilAskedAgain(signIn)]),
  }
}

const untilAskedAgain = ({ peopleChange }: SignIn): AbortSignal =>
  AbortSignal.any([peopleChange(), AbortSignal.timeout(askAgainSeconds * 1000)])

/** Only wrong ones count: whoever shares an address with somebody who guesses can still sign in. */
export function countAttempt({ attempts }: SignIn, context: Context<ServerEnv>): void {
  const seconds = attempts.take(addressKey(context.var.address))
  if (seconds > 0) throw tooMany(seconds, 'too many wrong tokens')
}

export const tooMany = (seconds: number, reason: string): Problem =>
  new Problem(
    429,
    `Too many requests. Try again in ${Math.ceil(seconds)} s.`,
    { 'retry-after': String(Math.ceil(seconds)) },
    reason,
  )
