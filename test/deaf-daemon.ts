import { createServer, request, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * A socket that hands everything on to a daemon but requests to kill, which it grants and forgets. With `holdsEvents`, it
 * keeps to itself what happens while somebody listens.
 */
export async function deafDaemon(
  daemonHost: string,
  socketPath: string,
  { holdsEvents = false }: { readonly holdsEvents?: boolean } = {},
): Promise<{ readonly host: string; cutEvents(): void; close(): void }> {
  const daemonPath = daemonHost.replace('unix://', '')
  const events = new Set<ServerResponse>()
  const server = createServer((asked, answer) => {
    const { url: path = '', method, headers } = asked
    if (/\/kill(\?|$)/.test(path)) {
      answer.statusCode = 204
      answer.end()
      return
    }
    if (path.includes('/events')) events.add(answer)
    if (holdsEvents && path.includes('/events') && !path.includes('until=')) return
    const passed = request({ socketPath: daemonPath, path, method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers)
      answer.flushHeaders()
      response.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  // Clients that attach to a container take the connection over.
  server.on('upgrade', ({ method = '', url = '', rawHeaders }, asked, head) => {
    const passed = connect({ path: daemonPath, allowHalfOpen: true })
    const headers = rawHeaders.map((word, at) => (at % 2 === 0 ? `${word}: ` : `${word}\r\n`))
    passed.write(`${method} ${url} HTTP/1.1\r\n${headers.join('')}\r\n`)
    passed.write(head)
    asked.pipe(passed)
    passed.pipe(asked)
    passed.on('error', () => asked.destroy())
    asked.on('error', () => passed.destroy())
  })
  server.listen(socketPath)
  await once(server, 'listening')
  return {
    host: `unix://${socketPath}`,
    cutEvents: () => {
      for (const answer of events) answer.destroy()
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
