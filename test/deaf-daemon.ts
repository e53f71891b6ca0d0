import { createServer, request } from 'node:http'
import { once } from 'node:events'

/** A socket that hands everything on to a daemon but requests to kill, which it grants and forgets. */
export async function deafDaemon(
  daemonHost: string,
  socketPath: string,
): Promise<{ readonly host: string; close(): void }> {
  const daemonPath = daemonHost.replace('unix://', '')
  const server = createServer((asked, answer) => {
    const { url: path = '', method, headers } = asked
    if (/\/kill(\?|$)/.test(path)) {
      answer.statusCode = 204
      answer.end()
      return
    }
    const passed = request({ socketPath: daemonPath, path, method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers)
      answer.flushHeaders()
      response.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  server.listen(socketPath)
  await once(server, 'listening')
  return {
    host: `unix://${socketPath}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
