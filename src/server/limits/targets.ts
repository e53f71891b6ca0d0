import { createMiddleware } from 'hono/factory'
import { Problem } from '../problem.ts'
import type { ServerEnv } from '../served.ts'
import { incomingOf } from './incoming.ts'

const methods = ['GET', 'HEAD', 'POST']
const longestAddress = 8192
const mostParameters = 200
const mostHeaders = 100

/** Control characters, backslashes, dots and slashes that were encoded (or twice) to get past somebody. */
const isCrooked = /[\\\p{Cc}]|%(25)*([01][\da-f]|7f|5c|2e|2f)|(^|\/)\.\.?(\/|$)/iu

/** Refuses requests that nobody makes who means well, before anything looks at them more closely. */
export const plainTargets = createMiddleware<ServerEnv>(async (context, next) => {
  const { req } = context
  const { method } = req
  const incoming = incomingOf(context)
  if (!methods.includes(method))
    throw new Problem(405, 'Only GET, HEAD and POST are served.', { allow: methods.join(', ') })
  // As text: the host in the whole address may be none, and is looked at next.
  const target = incoming?.url ?? req.url.replace(/^\w+:\/\/[^/]*/, '')
  if (target.length > longestAddress)
    throw new Problem(414, `An address has at most ${longestAddress} characters.`)
  if ((incoming?.rawHeaders.length ?? 0) > 2 * mostHeaders)
    throw new Problem(431, `A request has at most ${mostHeaders} headers.`)
  const [path = '', query = ''] = target.split('?', 2)
  if (isCrooked.test(path))
    throw new Problem(400, 'This path is not one of ours.', {}, 'a crooked path')
  if (query.split('&').length > mostParameters)
    throw new Problem(400, `An address has at most ${mostParameters} parameters.`)
  return next()
})
