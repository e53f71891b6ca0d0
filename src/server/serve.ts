import { getRequestListener } from '@hono/node-server'
import {
  createServer as createPlain,
  type IncomingMessage,
  type Server,
  type ServerOptions,
} from 'node:http'
import { createServer as createSecure, type Server as SecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { UserError } from '../service/user-error.ts'
import type { serverApp } from './app.ts'
import { shownHost } from './config/place.ts'
import type { LimitsConfig, Place } from './config/server-config.ts'
import { refuseBadRequests } from './limits/bad-requests.ts'
import { boundConnections } from './limits/connections.ts'
import type { RequestLog } from './limits/request-log.ts'
import { safeHeaders } from './limits/safe-headers.ts'
import { Problem, problemResponse } from './problem.ts'

/** What a certificate and its key hold, as PEM. */
export interface TlsPair {
  readonly certificate: string
  readonly key: string
}

export interface ListenSettings {
  readonly place: Place
  readonly tls: TlsPair | null
  readonly limits: LimitsConfig
  readonly log: RequestLog
  readonly isTrusted: (address: string) => boolean
  /** Aborted first when the server ends. */
  readonly closing: AbortController
}

export interface Listening {
  /** The port that it got, where any would do. */
  readonly port: number
  /** From now on for whoever connects. */
  renewTls(pair: TlsPair): void
  /** Ends streams, answers what was asked for, and then closes. */
  stop(): Promise<void>
}

/** How long whoever is being answered may take when the server ends. */
const lastMilliseconds = 4000
const lookMilliseconds = 50

type App = Pick<ReturnType<typeof serverApp>, 'fetch'>

/** `appFor` is asked when the port is known, which is a part of the names that the server goes by. */
export async function listen(
  settings: ListenSettings,
  appFor: (port: number) => App,
): Promise<Listening> {
  const box: { app?: App } = {}
  const server = serverFor(settings)
  server.on('request', (incoming, outgoing) => {
    const answer = getRequestListener(
      (request, env) => box.app?.fetch(request, env) ?? new Response(null, { status: 503 }),
      { errorHandler: (error) => unreadable(error, incoming, settings.log) },
    )
    void answer(incoming, outgoing)
  })
  refuseBadRequests(server, settings.log)
  const stopLooking = boundConnections(server, settings)
  await opened(server, settings.place)
  const { port } = server.address() as AddressInfo
  box.app = appFor(port)
  return {
    port,
    renewTls: ({ certificate, key }) => {
      if ('setSecureContext' in server)
        (server as SecureServer).setSecureContext({ ...tlsBounds, cert: certificate, key })
    },
    stop: async () => {
      settings.closing.abort()
      await closed(server)
      stopLooking()
    },
  }
}

const tlsBounds = { minVersion: 'TLSv1.2' } as const

function serverFor({ tls, limits: { headerSeconds, requestSeconds } }: ListenSettings): Server {
  const options: ServerOptions = {
    headersTimeout: headerSeconds * 1000,
    requestTimeout: Math.max(headerSeconds, requestSeconds) * 1000,
    // Both are only looked at so often.
    connectionsCheckingInterval: Math.min(1000, headerSeconds * 500),
    keepAliveTimeout: 5000,
    maxHeaderSize: 16_384,
    // `unreadable` refuses those without a host, and tells the log.
    requireHostHeader: false,
  }
  const server =
    tls === null
      ? createPlain(options)
      : createSecure({
          ...options,
          ...tlsBounds,
          handshakeTimeout: headerSeconds * 1000,
          cert: tls.certificate,
          key: tls.key,
        })
  // Node drops those that are too many without a word; `plainTargets` refuses them.
  server.maxHeadersCount = 0
  return server
}

function opened(server: Server, { host, port }: Place): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(wordsFor(error, `${shownHost(host)}:${port}`)),
    )
    server.listen(port, host, resolve)
  })
}

function wordsFor(error: NodeJS.ErrnoException, place: string): Error {
  const words: Readonly<Record<string, string>> = {
    EADDRINUSE: `something else listens on ${place}, perhaps another jobmeter serve. Stop it, or take any free port: --listen 127.0.0.1:0`,
    EACCES: `only root may listen on ${place}. Take a port from 1024 on: --listen`,
    EADDRNOTAVAIL: `${place} is not an address of this machine: see --listen`,
    ENOTFOUND: `there is no machine of the name in ${place}: see --listen`,
  }
  const known = words[error.code ?? '']
  return known === undefined ? error : new UserError(known)
}

/** What Node took for a request, and is none: without a host, or with an address that is not one. */
function unreadable(error: unknown, incoming: IncomingMessage, log: RequestLog): Response {
  const isTheirs = error instanceof Error && error.name === 'RequestError'
  const status = isTheirs ? 400 : 500
  const reason = isTheirs ? 'an address that is not one' : 'a fault of jobmeter'
  const { method = '-', socket } = incoming
  const address = socket.remoteAddress ?? 'unknown'
  log.tell({ method, route: '-', status, user: null, address, reason })
  const headers = { ...safeHeaders, connection: 'close' }
  return problemResponse(new Problem(status, `This is ${reason}.`, headers))
}

/** New ones are no longer let in; those that are being answered get their answer. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const look = setInterval(() => server.closeIdleConnections(), lookMilliseconds)
    const last = setTimeout(() => server.closeAllConnections(), lastMilliseconds)
    server.close(() => {
      clearInterval(look)
      clearTimeout(last)
      resolve()
    })
  })
}
