import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { problemJson } from '../problem.ts'
import type { RequestLog } from './request-log.ts'
import { safeHeaders } from './safe-headers.ts'

/** By what Node says of a request that it could not read. */
const refusals: Readonly<Record<string, { readonly status: number; readonly detail: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'The address and the headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'The request did not come in time.' },
}
const nonsense = { status: 400, detail: 'This is not a request of HTTP.' }

/** Answers what never becomes a request: what cannot be read, is too slow, or asks for a tunnel. */
export function refuseBadRequests(server: Server, log: RequestLog): void {
  const refused = new WeakSet<Duplex>()
  const refuse = (socket: Duplex, { status, detail }: typeof nonsense, method = '-') => {
    // What still comes on a connection that is being closed is no news.
    if (refused.has(socket)) return
    refused.add(socket)
    const address = ('remoteAddress' in socket && String(socket.remoteAddress)) || 'unknown'
    log.tell({ method, route: '-', status, user: null, address, reason: detail })
    // An answer may be under way: words in the middle of it would be taken for a part of it.
    const isFresh = 'bytesWritten' in socket && socket.bytesWritten === 0
    if (isFresh && socket.writable) socket.write(rawAnswer(status, detail))
    closeSoon(socket)
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) socket.destroy()
    else refuse(socket, refusals[error.code ?? ''] ?? nonsense)
  })
  server.on('connect', (_: IncomingMessage, socket) =>
    refuse(socket, { status: 405, detail: 'This server is not a proxy.' }, 'CONNECT'),
  )
}

/** In milliseconds: whoever does not close the connection then loses what was not read. */
const lingers = 500

function closeSoon(socket: Duplex): void {
  socket.on('error', () => socket.destroy())
  socket.end()
  setTimeout(() => socket.destroy(), lingers).unref()
}

function rawAnswer(status: number, detail: string): string {
  const body = JSON.stringify(problemJson(status, detail))
  const headers = {
    ...safeHeaders,
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}\r\n${lines.join('')}\r\n${body}`
}
