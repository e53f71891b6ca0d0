import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import { titleOf } from '../problem.ts'
import type { ServerEnv } from '../served.ts'
import type { RequestLog } from './request-log.ts'

/** Writes down what was refused or failed. */
export const tellAnswers = (log: RequestLog) =>
  createMiddleware<ServerEnv>(async (context, next) => {
    await next()
    const { status } = context.res
    if (status < 400 && !log.tellsAll) return
    log.tell({
      method: context.req.method,
      route: routeOf(context),
      status,
      user: context.var.asker?.viewer.user ?? null,
      address: context.var.address,
      reason: status < 400 ? 'answered' : (context.var.refusal ?? titleOf(status)),
    })
  })

/** The pattern, and never what was typed. */
const routeOf = (context: Context): string =>
  matchedRoutes(context).find(({ path }) => path !== '*' && path !== '/*')?.path ?? '*'
