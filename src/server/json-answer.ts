import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { JsonText } from './json-text.ts'
import type { ServerEnv } from './served.ts'

/** Sends JSON, or says that it is still what the client has. Browsers keep it, and ask each time. */
export function jsonAnswer(
  context: Context<ServerEnv>,
  value: object,
  status: 200 | 202 = 200,
): Response {
  const text = value instanceof JsonText ? value.text : JSON.stringify(value)
  if (context.req.method !== 'GET')
    return new Response(text, { status, headers: { 'content-type': 'application/json' } })
  const tag = `W/"${createHash('sha1').update(text).digest('base64url')}"`
  const headers = { etag: tag, 'cache-control': 'private, no-cache' }
  if (isKnown(context.req.header('if-none-match'), tag))
    return new Response(null, { status: 304, headers })
  return new Response(text, {
    status,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    },
  })
}

const isKnown = (header: string | undefined, tag: string): boolean =>
  header !== undefined && header.split(',').some((one) => one.trim() === tag)
