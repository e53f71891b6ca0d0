import { createMiddleware } from 'hono/factory'
import { shownHost } from '../config/place.ts'
import type { Place, ServerConfig } from '../config/server-config.ts'
import { Problem } from '../problem.ts'
import type { ServerEnv } from '../served.ts'
import { incomingOf } from './incoming.ts'

const wildcards = ['0.0.0.0', '::']

/** The names that a server goes by, as in the header `Host`. */
export function hostsOf({ host, port }: Place, config: ServerConfig): ReadonlySet<string> {
  const here = [
    '127.0.0.1',
    'localhost',
    '[::1]',
    ...(wildcards.includes(host) ? [] : [shownHost(host)]),
  ]
  const named = config.hosts.flatMap((name) =>
    /:\d+$/.test(name) ? [name] : [name, `${name}:${port}`],
  )
  return new Set([
    ...here.map((name) => `${name}:${port}`),
    // A browser leaves out the port that its scheme has anyway.
    ...(port === (config.tls === null ? 80 : 443) ? here : []),
    ...named,
    ...(config.address === null ? [] : [config.address.host]),
  ])
}

/** Refuses who comes by another name: a page of somebody else may have had that name led here. */
export const ownHosts = (hosts: ReadonlySet<string>) =>
  createMiddleware<ServerEnv>(async (context, next) => {
    const host = context.req.header('host')?.toLowerCase()
    // An address may name a host too, as proxies are asked.
    const target = incomingOf(context)?.url ?? '/'
    const named = target.startsWith('/') ? host : URL.parse(target)?.host
    if (host !== undefined && hosts.has(host) && named !== undefined && hosts.has(named))
      return next()
    throw new Problem(
      421,
      'This server does not go by that name. `hosts` in its configuration adds one.',
    )
  })
