import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** What happens to the next commit that passes. */
export type CommitFault = 'answer lost' | 'never arrives' | 'stalls'

/** A way to PostgreSQL on which everything can go wrong that does on networks. */
export interface Proxy {
  readonly port: number
  /** Nothing gets through either way until this is over; connections stay. */
  stall(milliseconds: number): void
  /** What was stalled gets through now. */
  goOn(): void
  /** All connections break. */
  cut(): void
  onNextCommit(fault: CommitFault): void
  close(): void
}

const commit = Buffer.from('COMMIT\0')

export async function startProxy(toPort: number): Promise<Proxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let stalledUntil = 0
  let fault: CommitFault | undefined
  const later: (() => void)[] = []
  const pass = (to: Socket, bytes: Buffer): void => {
    const send = (): void => void (to.destroyed || to.write(bytes))
    if (Date.now() >= stalledUntil && later.length === 0) send()
    else later.push(send)
  }
  const release = (): void => {
    if (Date.now() < stalledUntil) setTimeout(release, stalledUntil - Date.now() + 1)
    else for (const send of later.splice(0)) send()
  }
  const stall = (milliseconds: number): void => {
    stalledUntil = Math.max(stalledUntil, Date.now() + milliseconds)
    setTimeout(release, milliseconds + 1)
  }
  const server = createServer((client) => {
    const upstream = connect(toPort, '127.0.0.1')
    const pair = [client, upstream] as const
    pairs.add(pair)
    const end = (): void => {
      pairs.delete(pair)
      client.destroy()
      upstream.destroy()
    }
    for (const socket of pair) socket.on('error', end).on('close', end)
    client.on('data', (bytes) => {
      if (fault === undefined || !bytes.includes(commit)) return pass(upstream, bytes)
      const now = fault
      fault = undefined
      if (now === 'stalls') {
        stall(1500)
        pass(upstream, bytes)
      } else if (now === 'never arrives') end()
      // The server has it before it learns that nobody waits for the answer.
      else upstream.write(bytes, () => setTimeout(end, 20))
      if (now === 'answer lost') upstream.removeAllListeners('data')
    })
    upstream.on('data', (bytes) => pass(client, bytes))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    stall,
    goOn: () => {
      stalledUntil = 0
      release()
    },
    cut: () => {
      for (const [client, upstream] of pairs) {
        client.destroy()
        upstream.destroy()
      }
    },
    onNextCommit: (next) => (fault = next),
    close: () => {
      server.close()
      for (const [client, upstream] of pairs) {
        client.destroy()
        upstream.destroy()
      }
    },
  }
}
