import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Served } from './served.ts'

/** A network between a browser and a server, which can be cut and mended. */
export interface Wire {
  /** As browsers name it. */
  readonly host: string
  through(served: Served): Served
  /** Every connection breaks, and nobody gets through. */
  cut(): void
  mend(): void
}

export async function layWire(): Promise<Wire> {
  let target = 0
  let isCut = false
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  }
  const server = createServer((browser) => {
    if (isCut) return void browser.destroy()
    const far = keep(connect(target, '127.0.0.1'))
    keep(browser)
      .pipe(far)
      .pipe(browser)
      .on('close', () => far.destroy())
    far.on('close', () => browser.destroy())
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    through(served) {
      const { port, search } = new URL(served.address)
      target = Number(port)
      const origin = `http://${host}`
      return { ...served, origin, address: `${origin}/${search}` }
    },
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend() {
      isCut = false
    },
  }
}
