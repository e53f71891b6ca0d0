import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

/** From here on the kernel gives ports to whoever asks for any, and to every connection. */
const anybodys = Number(
  readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split('\t')[0],
)
const lowest = 10_000

/**
 * A port of the loopback interface that nobody listens on, for a server that is started later, or again. Of one that was
 * free a moment ago the kernel may give the number to somebody else meanwhile; of these it does not.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (anybodys - lowest))
    if (await canListen(port)) return port
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
