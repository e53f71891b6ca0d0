import { z } from '@hono/zod-openapi'

export const problem = z
  .object({ type: z.string(), title: z.string(), status: z.int(), detail: z.string() })
  .openapi('Problem', { description: 'why there is no answer (RFC 9457)' })

const answer = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: problem } },
})

/** What a route may answer instead. */
export const refusals = {
  400: answer('The request makes no sense.'),
  401: answer('Nobody is signed in.'),
  403: answer('The one who is signed in may not do this.'),
  404: answer('There is no such thing, or none that you may see.'),
  405: answer('Only GET, HEAD and POST are served.'),
  408: answer('The request did not come in time.'),
  409: answer('It cannot be done as things stand.'),
  411: answer('The request does not say how long its body is.'),
  413: answer('The body is too large.'),
  414: answer('The address is too long.'),
  415: answer('The body is not JSON.'),
  421: answer('The server does not go by the name in `Host`.'),
  429: answer('Too many requests.'),
  431: answer('The headers are too many or too large.'),
  503: answer('It cannot be answered at the moment.'),
} as const
