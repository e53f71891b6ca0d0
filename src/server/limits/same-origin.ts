import { createMiddleware } from 'hono/factory'
import { Problem } from '../problem.ts'
import type { ServerEnv } from '../served.ts'

const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD'

/**
 * Refuses what another site has a browser do. Cookies and what a proxy adds come along without anybody's doing, so whoever
 * is known by them must also show that the request was made by a page of ours.
 */
export const sameOrigin = (scheme: 'http' | 'https') =>
  createMiddleware<ServerEnv>(async ({ req, var: { asker } }, next) => {
    const site = req.header('sec-fetch-site')
    const isForeign = site === 'cross-site' || site === 'same-site'
    if (isForeign && (req.path.startsWith('/api/') || !isSafe(req.method)))
      throw new Problem(403, 'Pages of other sites are not served.', {}, 'another site')
    if (isSafe(req.method) || asker?.by === 'bearer') return next()
    const origin = req.header('origin')
    // The host is ours, or we would not be here.
    const own = `${scheme}://${req.header('host')?.toLowerCase()}`
    if (origin === undefined ? site !== 'same-origin' : origin.toLowerCase() !== own)
      throw new Problem(
        403,
        'A browser may do this only from a page of this server. Programs send `Authorization: Bearer`.',
        {},
        'another origin',
      )
    const [type = ''] = (req.header('content-type') ?? '').split(';')
    if (type.trim().toLowerCase() !== 'application/json')
      throw new Problem(415, 'Send `content-type: application/json`.')
    return next()
  })
