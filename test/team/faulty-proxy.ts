import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** What the network does to those who are connected. */
export type NetworkFault =
  | 'cut'
  | 'stall'
  /** The next commit does not arrive. */
  | 'lose a commit'
  /** The next commit arrives, and nobody hears that it did. */
  | 'lose an answer'

/** A network between those who send and PostgreSQL that can fail. */
export class FaultyProxy {
  readonly #server: Server
  readonly #pairs = new Set<readonly [Socket, Socket]>()
  #atCommit: 'lose a commit' | 'lose an answer' | undefined
  #isStalled = false

  static async start(toPort: () => number): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(toPort)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  private constructor(toPort: () => number) {
    this.#server = createServer((client) => {
      const server = connect(toPort(), '127.0.0.1')
      const pair = [client, server] as const
      this.#pairs.add(pair)
      const end = (): void => {
        this.#pairs.delete(pair)
        client.destroy()
        server.destroy()
      }
      for (const socket of pair) {
        socket.on('error', end)
        socket.on('close', end)
      }
      client.on('data', (bytes) => this.#fromClient(bytes, server, end))
      server.on('data', (bytes) => {
        if (!this.#isStalled) client.write(bytes)
      })
    })
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  fail(fault: NetworkFault): void {
    if (fault === 'stall') this.#isStalled = true
    else if (fault === 'cut') this.#cutAll()
    else this.#atCommit = fault
  }

  /** What stalled stays without an answer; what comes next gets through. */
  mend(): void {
    this.#atCommit = undefined
    if (!this.#isStalled) return
    this.#isStalled = false
    this.#cutAll()
  }

  async close(): Promise<void> {
    this.#cutAll()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #fromClient(bytes: Buffer, server: Socket, end: () => void): void {
    if (this.#isStalled) return
    if (this.#atCommit !== undefined && bytes.includes('COMMIT')) {
      const isLost = this.#atCommit === 'lose a commit'
      this.#atCommit = undefined
      if (isLost) end()
      // PostgreSQL reads it before it sees that nobody is there any more.
      else server.write(bytes, () => end())
      return
    }
    server.write(bytes)
  }

  #cutAll(): void {
    for (const [client, server] of this.#pairs) {
      client.destroy()
      server.destroy()
    }
  }
}
