import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A server that answers each request as it is told, or not at all. */
export class Receiver implements AsyncDisposable {
  readonly all: Received[] = []
  readonly #server: Server
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = []

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(answer: (received: Received, place: number) => Answer | 'silence') {
    const server = createServer()
    const receiver = new Receiver(server)
    server.on('request', (request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const received = { headers: request.headers, body: Buffer.concat(parts) }
        const said = answer(received, receiver.all.push(received) - 1)
        receiver.#tell()
        if (said !== 'silence') response.writeHead(said.status, said.headers).end(said.body)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/write`
  }

  /** Until so many requests have come. */
  got(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ count, resolve })
      this.#tell()
    })
  }

  #tell(): void {
    for (const { count, resolve } of this.#waiting) if (this.all.length >= count) resolve()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
