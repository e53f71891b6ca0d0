import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A socket that hands every byte on to a daemon, until it is gone or has frozen. Clients can attach to containers through it. */
export async function daemonRelay(
  daemonHost: string,
  socketPath: string,
): Promise<{ readonly host: string; freeze(): void; close(): void }> {
  const daemonPath = daemonHost.replace('unix://', '')
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer({ allowHalfOpen: true }, (asked) => {
    sockets.add(asked)
    asked.on('error', () => asked.destroy())
    if (isFrozen) return
    const passed = connect({ path: daemonPath, allowHalfOpen: true })
    sockets.add(passed)
    passed.on('error', () => asked.destroy())
    asked.pipe(passed)
    passed.pipe(asked)
    asked.on('close', () => passed.destroy())
  })
  server.listen(socketPath)
  await once(server, 'listening')
  return {
    host: `unix://${socketPath}`,
    freeze: () => {
      isFrozen = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
