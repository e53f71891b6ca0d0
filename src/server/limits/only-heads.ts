import { createMiddleware } from 'hono/factory'
import type { ServerEnv } from '../served.ts'

/** Ends what a HEAD began: its body is never read, and a stream that nobody reads would wait for ever. */
export const onlyHeads = createMiddleware<ServerEnv>(async (context, next) => {
  await next()
  if (context.req.method === 'HEAD') await context.res.body?.cancel()
})
