import { createMiddleware } from 'hono/factory'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

export const safeHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** What keeps a browser from doing more with an answer than it is for. */
export const addSafeHeaders = (isSecure: boolean) =>
  createMiddleware(async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(safeHeaders)) context.header(name, value)
    if (isSecure) context.header('strict-transport-security', 'max-age=31536000')
    if (context.res.headers.get('cache-control') === null)
      context.header('cache-control', 'no-store')
  })
