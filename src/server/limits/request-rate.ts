import { createMiddleware } from 'hono/factory'
import { Problem } from '../problem.ts'
import type { ServerEnv } from '../served.ts'
import { tooMany } from '../sign-in/asker.ts'
import { addressKey, type Buckets } from './buckets.ts'
import { incomingOf } from './incoming.ts'

/** Bounds how often one person, or one address where nobody is signed in, may ask. */
export const boundRate = (requests: Buckets) =>
  createMiddleware<ServerEnv>(async (context, next) => {
    const { asker } = context.var
    const key = asker === undefined ? addressKey(context.var.address) : `user ${asker.viewer.user}`
    const seconds = requests.take(key)
    if (seconds > 0) throw tooMany(seconds, 'too many requests')
    return next()
  })

/** Browsers wait for an answer before they ask again on the same connection. */
const mostOfOneConnection = 32

const tooMuch = (reason: string): Problem =>
  new Problem(503, 'Too much is going on. Try again.', { 'retry-after': '1' }, reason)

/** Bounds how many requests are worked on at once, in all and of one connection: those that wait take memory too. */
export const boundAtOnce = (most: number) => {
  let count = 0
  const counts = new WeakMap<object, number>()
  return createMiddleware<ServerEnv>(async (context, next) => {
    const connection = incomingOf(context)?.socket ?? {}
    const own = counts.get(connection) ?? 0
    if (own >= mostOfOneConnection) throw tooMuch('too much at once on one connection')
    if (count >= most) throw tooMuch('too much at once')
    count += 1
    counts.set(connection, own + 1)
    try {
      await next()
    } finally {
      count -= 1
      counts.set(connection, (counts.get(connection) ?? 1) - 1)
    }
  })
}
