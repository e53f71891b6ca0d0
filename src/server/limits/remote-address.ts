import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { isIP } from 'node:net'
import type { ServerEnv } from '../served.ts'
import { incomingOf } from './incoming.ts'

/** Who is at the other end of the connection. */
export const peerAddress = (context: Context<ServerEnv>): string =>
  incomingOf(context)?.socket.remoteAddress ?? 'unknown'

/** Finds out who asks: behind a trusted proxy, whom the proxy names. */
export const findAddress = (isTrusted: (address: string) => boolean) =>
  createMiddleware<ServerEnv>(async (context, next) => {
    context.set('address', addressOf(context, isTrusted))
    return next()
  })

function addressOf(context: Context<ServerEnv>, isTrusted: (address: string) => boolean): string {
  const peer = peerAddress(context)
  if (!isTrusted(peer)) return peer
  // The last one is what the proxy itself saw; those before it are what the browser claims.
  const last = context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() ?? ''
  return isIP(last) === 0 ? peer : last
}
