import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import type { Served, ServerEnv } from './served.ts'

/** Counts requests by their route, for the server's own metrics. */
export const observeRequests = ({ own, system }: Pick<Served, 'own' | 'system'>) =>
  createMiddleware<ServerEnv>(async (context, next) => {
    const from = system.clock.monotonicSeconds()
    await next()
    const isStream = context.res.headers.get('content-type')?.startsWith('text/event-stream')
    const seconds = system.clock.monotonicSeconds() - from
    // A path that no route has is anybody's to make up.
    const route = matchedRoutes(context).findLast(({ path }) => !path.includes('*'))?.path
    own.observe(
      route ?? 'other',
      context.req.method,
      context.res.status,
      isStream === true ? null : seconds,
    )
  })
